import { ChatClient, type Fetch } from "@madang/client";
import { version } from "../package.json";
import type { Io } from "./io";
import { Output } from "./output/output";
import { type Connection, findConnection } from "./profiles/connection";

/** The options of every command. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: true;
  readonly debug?: true;
}

/** What a command works with. */
export interface Session {
  readonly io: Io;
  readonly output: Output;
  readonly options: () => GlobalOptions;
  /** A client with the URL and the key of the environment or of a profile. Throws `UsageError` when there is none. */
  connect(): Promise<ChatClient>;
}

/** `options` is called when a command runs: by then the command line has been parsed. */
export function createSession(io: Io, options: () => GlobalOptions): Session {
  return {
    io,
    options,
    output: new Output(io, () => options().json === true),
    async connect() {
      return createClient(io, await findConnection(io.env, options().profile), options().debug);
    },
  };
}

export function createClient(
  io: Io,
  { baseUrl, apiKey }: Pick<Connection, "baseUrl" | "apiKey">,
  debug?: boolean,
  fetch?: Fetch,
): ChatClient {
  return new ChatClient({
    baseUrl,
    apiKey,
    headers: { "user-agent": `madang-cli/${version} (node/${process.versions.node})` },
    ...(debug && { debug: (line) => io.stderr.write(`${line}\n`) }),
    ...(fetch && { fetch }),
  });
}
