import type { IncomingMessage, ServerResponse } from "node:http";

const lingerMs = 5_000;
const mostDiscarded = 16_000_000;

/**
 * Answers a caller that may still be sending a body that nobody wants, and closes the connection. Closed with bytes
 * unread, TCP would take the answer back with it: so the rest is read and thrown away, for a while, and then cut.
 */
export function endGently(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  response.setHeader("Connection", "close");
  response.write(body);
  // Who asks before it sends, will not send now.
  if (request.complete || request.headers.expect !== undefined) return void response.end();
  const end = () => response.end();
  const timer = setTimeout(end, lingerMs);
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostDiscarded) end();
  });
  request.once("end", end).once("close", () => {
    clearTimeout(timer);
    end();
  });
  request.resume();
}
