import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ChatClient } from "@madang/client";
import { startTestServer, type TestServer } from "@madang/server/testing";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, test } from "vitest";

const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let service: TestServer;
beforeAll(async () => {
  service = await startTestServer();
  const chat = new ChatClient({ baseUrl: service.url, apiKey: service.masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
});
afterAll(() => service.close());

test("with --port, the command needs no key: each agent sends its own", async () => {
  const env = { MADANG_URL: service.url, PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
  const child = spawn(process.execPath, [program, "mcp", "--port", "0"], { env });
  try {
    const [line] = await once(child.stderr.setEncoding("utf8"), "data");
    const [url = ""] = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(String(line)) ?? [];
    const headers = { authorization: `Bearer ${service.masterKey}` };
    const agent = new Client({ name: "test-agent", version: "1.0.0" });
    await agent.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    expect((await agent.listTools()).tools.length).toBeGreaterThan(0);
    await agent.close();
  } finally {
    child.kill();
  }
});

test("an agent that starts the command on standard input and output finds a user, and is told what its key may do", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "mcp", "--read-only"],
    env: { ...process.env, MADANG_URL: service.url, MADANG_API_KEY: service.masterKey } as Record<
      string,
      string
    >,
    stderr: "pipe",
  });
  const agent = new Client({ name: "test-agent", version: "1.0.0" });
  await agent.connect(transport);
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toContain("madang_find_users");
  const { structuredContent } = await agent.callTool({ name: "madang_find_users", arguments: {} });
  expect(structuredContent).toMatchObject({ users: [{ user_id: "kim_01", name: "Kim" }] });
  await agent.close();
});
