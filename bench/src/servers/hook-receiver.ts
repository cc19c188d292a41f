import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The program of an application that accepts every message, after as many milliseconds as the path says. */
const server = createServer((request, response) => {
  const delayMs = Number(request.url?.slice(1));
  const accept = () =>
    response.writeHead(200, { "content-type": "application/json" }).end('{"action":"accept"}');
  request.resume().on("end", () => (delayMs === 0 ? accept() : setTimeout(accept, delayMs)));
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, msg: "listening" })}\n`);
});
