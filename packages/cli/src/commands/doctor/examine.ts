import { type Fetch, isChatError } from "@madang/client";
import { createClient, type Session } from "../../session";
import { exitCodes } from "../../terminal/exit-codes";
import { toPlainText } from "../../terminal/output/plain-text";
import { type Connection, findKeyKind } from "../profiles/connection";
import { type Check, checkClock, checkLatency, checkVersion, type Exchange } from "./checks";

/** Examines a server step by step. A failure ends the steps that need what failed. */
export async function* examine(session: Session, connection: Connection): AsyncGenerator<Check> {
  const { io, options } = session;
  const exchanges: Exchange[] = [];
  const chat = createClient(io, connection, options().debug, { fetch: recordInto(exchanges) });
  const limits = { signal: io.signal, maxRetries: 0, timeoutMs: 10_000 };
  const address = `${connection.baseUrl}, from ${connection.source}`;
  const key = await findKeyKind(chat, limits).then(
    (kind): Check => ({ check: "key", detail: kind }),
    (error: unknown) => explainFailure(error, address, connection),
  );
  if (key.check === "server") return yield key;
  const [first] = exchanges;
  if (first === undefined) throw new Error("There is an outcome without a response.");
  yield { check: "server", detail: address };
  yield key;
  if (key.exitCode !== undefined) return;
  yield checkVersion(first);
  yield checkClock(first);
  yield await checkLatency(chat, limits, exchanges);
}

/** Either nothing of the service is at the address, or the server fails, or it rejects the key. */
function explainFailure(error: unknown, address: string, { remedies }: Connection): Check {
  if (!isChatError(error) || error.kind === "abort") throw error;
  const reason = toPlainText(error.detail ?? error.message);
  const { status = 0 } = error;
  const server = { check: "server", detail: `${address}: ${reason}`, exitCode: exitCodes.failed } as const;
  if (error.kind !== "api" || status === 404)
    return { ...server, advice: `Start the server, or correct the address: ${remedies.url}` };
  if (status >= 500)
    return { ...server, advice: "Look at the logs of the server and of the proxy in front of it." };
  if (status === 401)
    return {
      check: "key",
      detail: reason,
      advice: `Use a valid key: ${remedies.key}`,
      exitCode: exitCodes.notAllowed,
    };
  return { check: "key", detail: reason, advice: "Try again later.", exitCode: exitCodes.failed };
}

function recordInto(exchanges: Exchange[]): Fetch {
  return async (url, init) => {
    const sentAt = Date.now();
    const response = await fetch(url, init);
    exchanges.push({ sentAt, receivedAt: Date.now(), headers: response.headers });
    return response;
  };
}
