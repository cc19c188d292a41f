import { execFile } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTestServer, type TestServer } from "@madang/server/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, serveHttp } from "../src/serve";

// The package has only a program.
const program = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
);

/**
 * The scenarios for servers that offer tools. The others need what this server does not offer: logging, completion, sampling,
 * elicitation, resources, prompts and sessions; or they call fixtures by name (`test_…`), which test the library.
 */
const scenarios = ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"];

let service: TestServer;
let server: HttpServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;

beforeAll(async () => {
  service = await startTestServer();
  server = await serveHttp({ baseUrl: service.url, port: 0 });
  proxy = await startProxy(server.url, service.masterKey);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
  await service.close();
});

test.each(scenarios)("the scenario %s of the official conformance tests passes", async (scenario) => {
  const args = [program, "server", "--url", proxy.url, "--scenario", scenario];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
});

/** Adds the key, which the conformance tests cannot send. All other headers arrive as they were sent. */
async function startProxy(target: string, key: string) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const sent = request(target, { method: incoming.method ?? "GET", headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address with a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        proxy.close(resolve);
        proxy.closeAllConnections();
      }),
  };
}
