import type { IncomingMessage, ServerResponse } from "node:http";

const maxDiscardMs = 5_000;
const maxDiscardedBytes = 16_000_000;
/** A smaller chunk counts as this many bytes, because reading many small chunks is more expensive. */
const minChunkBytes = 4_096;

/**
 * Responds to a client that may still be sending its body, and closes the connection. If the socket were closed with
 * unread bytes, TCP would discard the response too, so the rest is read and discarded, up to these limits.
 */
export function endAfterDrain(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
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
