import { ChatClient, type ClientOptions, isChatError } from "@madang/client";
import { version } from "../package.json";
import { type Connection, findConnection } from "./commands/profiles/connection";
import { UsageError } from "./terminal/exit-codes";
import type { Io } from "./terminal/io";
import { Output } from "./terminal/output/output";
import { toPlainText } from "./terminal/output/plain-text";
import { reportOutages } from "./terminal/output/report-outages";

/** The options of every command. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: true;
  readonly auditActor?: string;
  readonly auditReason?: string;
  readonly debug?: true;
}

/** What a command works with. */
export interface Session {
  readonly io: Io;
  readonly output: Output;
  readonly options: () => GlobalOptions;
  /** A client with the URL and the key of the environment or of a profile. Throws `UsageError` when there is none. */
  connect(): Promise<ChatClient>;
  /** The same for a command that takes long: it waits for a server that restarts, and reports it. */
  connectPatiently(): Promise<ChatClient>;
}

/** How long a command that takes long waits for a server that does not respond. */
const maxDowntimeMs = 300_000;

/** `options` is called when a command runs: by then the command line has been parsed. */
export function createSession(io: Io, options: () => GlobalOptions): Session {
  const output = new Output(io, () => options().json === true);
  const connect = async (added: ClientOptions) => {
    const connection = await findConnection(io.env, options().profile);
    const { debug, auditActor = io.env.MADANG_ACTOR, auditReason = io.env.MADANG_REASON } = options();
    // An empty variable counts as absent.
    const audited = { actor: auditActor || undefined, reason: auditReason || undefined };
    return createClient(io, connection, debug, { ...added, ...audited });
  };
  return {
    io,
    options,
    output,
    connect: () => connect({}),
    connectPatiently: () =>
      connect({ maxDowntimeMs, maxRetries: 10, ...reportOutages((text) => output.note(text)) }),
  };
}

export function createClient(
  io: Io,
  { baseUrl, apiKey }: Pick<Connection, "baseUrl" | "apiKey">,
  debug?: boolean,
  options: ClientOptions = {},
): ChatClient {
  try {
    return new ChatClient({
      ...options,
      baseUrl,
      apiKey,
      headers: { "user-agent": `madang-cli/${version} (node/${process.versions.node})` },
      ...(debug && { debug: (line) => io.stderr.write(`${toPlainText(line)}\n`) }),
    });
  } catch (error) {
    throw explainInvalid(error);
  }
}

/** The SDK names its own option. The address may contain a password and is not repeated. */
function explainInvalid(error: unknown): unknown {
  const [rule] = isChatError(error) ? (error.errors ?? []) : [];
  return rule?.path === "baseUrl"
    ? new UsageError(`The address of the server is not valid. ${rule.message}`)
    : error;
}
