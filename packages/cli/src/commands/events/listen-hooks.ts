import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type ChatClient, isChatError } from "@madang/client";
import { verifyHook } from "@madang/client/webhooks";
import type { Session } from "../../session";
import { CommandError, UsageError } from "../../terminal/exit-codes";
import { findBaseUrl } from "../profiles/connection";
import { type Outcome, postSigned } from "./forward";

/** What a program decided about a message. */
export interface Decision {
  readonly operation: string;
  readonly channel_id: string;
  readonly user_id: string;
  /** Absent if the response is none of the three. */
  readonly action?: "accept" | "reject" | "replace";
  readonly status?: number;
  readonly error?: string;
  readonly duration_ms: number;
}

export interface HookOptions {
  /** Of this machine. Absent: any free one. */
  readonly port?: number | undefined;
  /** Under which the server reaches the port. Absent: the server is on this machine. */
  readonly publicUrl?: string | undefined;
}

/** The most that the service waits. */
const timeoutMs = 5_000;

/**
 * Creates a hook at a port of this machine, passes each of its calls on to a program, and responds as the program does. The hook is
 * deleted at the end. Requests that are not signed by it are rejected; the others are signed again, with the secret of this machine.
 */
export async function listenToHooks(
  session: Session,
  forwardTo: string,
  secret: string,
  { port = 0, publicUrl }: HookOptions,
  onDecision: (decision: Decision) => Promise<void>,
): Promise<void> {
  const { io, output } = session;
  if (publicUrl === undefined) await requireNearServer(session);
  const chat = await session.connect();
  let hookSecret: string | undefined;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const question = await verifyHook(hookSecret ?? "", request.headers, body).catch(() => undefined);
    if (question === undefined) return response.writeHead(401).end();
    const [id, timestamp] = [
      String(request.headers["webhook-id"]),
      String(request.headers["webhook-timestamp"]),
    ];
    const message = { id, timestamp, body };
    const outcome = await postSigned(forwardTo, secret, message, { timeoutMs, signal: io.signal });
    const { status, text: answer } = outcome.response ?? { status: 502 };
    response.writeHead(status, { "content-type": "application/json" }).end(answer);
    const { operation, channel_id, user_id } = question;
    await onDecision({ operation, channel_id, user_id, ...describe(outcome) });
  });
  const localUrl = await listen(server, port);
  try {
    const { hook_id, secret: created } = await createHook(chat, publicUrl ?? localUrl);
    hookSecret = created;
    output.note(
      `Calls of the hook ${hook_id} go to ${forwardTo}. The receiver needs the secret: madang listen --print-secret`,
    );
    try {
      if (!io.signal.aborted) await once(io.signal, "abort");
    } finally {
      await chat.hooks.delete(hook_id).catch(() => {
        throw new CommandError(`The hook could not be deleted. Run: madang hooks delete ${hook_id}`);
      });
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  io.signal.throwIfAborted();
}

async function requireNearServer({ io, options }: Session): Promise<void> {
  const { hostname } = new URL(await findBaseUrl(io.env, options().profile));
  if (/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return;
  throw new UsageError(
    `The server on ${hostname} cannot reach this machine. Open a tunnel to a port of it, and name both: --port 8787 --public-url https://…`,
  );
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** With `accept`, nobody has to wait if the command is killed and its hook stays. */
async function createHook(chat: ChatClient, url: string) {
  try {
    return await chat.hooks.create({
      url,
      operations: ["messages.send", "messages.update"],
      callers: "all",
      timeout_ms: timeoutMs,
      on_failure: "accept",
    });
  } catch (error) {
    if (!isChatError(error) || error.errors?.[0]?.path !== "url") throw error;
    throw new UsageError(
      `The server does not call ${url}. ${error.errors[0].message} For a server on this machine, start it with MADANG_WEBHOOK_ALLOW=127.0.0.0/8. Otherwise, open a tunnel to a port of this machine, and name both: --port 8787 --public-url https://…`,
    );
  }
}

function describe({ response, ...outcome }: Outcome): Omit<Decision, "operation" | "channel_id" | "user_id"> {
  const { status, text = "" } = response ?? {};
  const action = status !== undefined && status >= 200 && status < 300 ? actionIn(text) : undefined;
  return { ...(action !== undefined && { action }), ...(status !== undefined && { status }), ...outcome };
}

function actionIn(text: string): Decision["action"] {
  try {
    const { action } = Object(JSON.parse(text));
    return ["accept", "reject", "replace"].includes(action) ? action : undefined;
  } catch {
    return undefined;
  }
}
