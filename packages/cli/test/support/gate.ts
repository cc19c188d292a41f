import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { listen } from "./listen";

/**
 * A proxy for GET, so that a test can act at a certain request: `before` is called with each path and query, and the
 * connection breaks when it returns false.
 */
export async function startGate(target: string, before: (path: string) => unknown) {
  const gate = createServer(async (request, response) => {
    const { url = "", headers } = request;
    const { authorization = "", accept = "" } = headers;
    try {
      if ((await before(url)) === false) throw new Error("The connection breaks.");
      const {
        status,
        headers: received,
        body,
      } = await fetch(target + url, { headers: { authorization, accept } });
      response.writeHead(status, { "content-type": received.get("content-type") ?? "" });
      if (body === null) response.end();
      else await pipeline(Readable.fromWeb(body), response);
    } catch {
      response.destroy();
    }
  });
  return listen(gate);
}
