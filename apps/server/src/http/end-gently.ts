import type { IncomingMessage, ServerResponse } from "node:http";

const maxDiscardMs = 5_000;
const maxDiscardedBytes = 16_000_000;
/** What a chunk counts for at least, because reading many small ones costs more than reading their bytes. */
const minChunkBytes = 1_024;

/**
 * Responds to a client that may still be sending its body, and closes the connection. If unread bytes remained when the
 * socket closes, TCP would discard the response too, so the rest is read and discarded, up to these limits.
 */
export function endGently(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.setHeader("Connection", "close");
  response.write(body);
  // A client that waits for `100 Continue` will not send its body now.
  if (request.complete || request.headers.expect !== undefined) return void response.end();
  const end = () => response.end();
  const timer = setTimeout(end, maxDiscardMs);
  let discarded = 0;
  const discard = (chunk: Buffer) => {
    discarded += Math.max(chunk.length, minChunkBytes);
    if (discarded > maxDiscardedBytes) end();
  };
  request.on("data", discard);
  request.once("end", end).once("close", () => {
    clearTimeout(timer);
    end();
  });
  request.resume();
}
