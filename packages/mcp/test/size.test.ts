import { readFileSync } from "node:fs";
import { ChatClient } from "@madang/client";
import { startTestServer, type TestServer } from "@madang/server/testing";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, serveHttp } from "../src/serve";
import { callTool, connectAgent } from "./support/agent";

const guide = readFileSync(new URL("../../../docs/guides/agents.md", import.meta.url), "utf8");

let service: TestServer;
let server: HttpServer;
let chat: ChatClient;
beforeAll(async () => {
  service = await startTestServer();
  server = await serveHttp({ baseUrl: service.url, port: 0 });
  chat = new ChatClient({ baseUrl: service.url, apiKey: service.masterKey });
  await chat.users.create({ user_id: "agent_1", name: "Agent" });
});
afterAll(async () => {
  await server.close();
  await service.close();
});

test.each([
  { name: "of a user", key: { user_id: "agent_1" } },
  { name: "master key" },
  { name: "scopes `read`, `messages.send`", key: { scopes: ["read", "messages.send"] } },
  { name: "scope `messages.send`", key: { scopes: ["messages.send"] } },
])("the guide states the size of the list for: $name", async ({ name, key }) => {
  const apiKey = key === undefined ? service.masterKey : (await chat.keys.create(key)).key;
  const agent = await connectAgent(server, apiKey);
  const { tools } = await agent.listTools();
  await agent.close();
  const list = JSON.stringify(tools);
  const sizes = `${roundUp(list.length)} | ${roundUp(encode(list).length)}`;
  expect(guide).toContain(`| ${name} | ${tools.length} | ${sizes} |`);
});

test("the guide states the calls and characters of a task, and of the same with the general tools alone", async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.users.create({ user_id: "park_03", name: "Park" });
  await chat.channels.create({ channel_id: "room_1", name: "Orders", members: ["kim_01", "park_03"] });
  const message = await chat.messages.send("room_1", {
    user_id: "kim_01",
    type: "text",
    content: "Where is my refund?",
  });
  await chat.reports.create({ channel_id: "room_1", message_id: message.message_id, reason: "insult" });
  const agent = await connectAgent(server, service.masterKey);
  let calls = 0;
  let characters = 0;
  const call = async (name: string, args: Record<string, unknown>) => {
    const { data, text, isError } = await callTool(agent, name, args);
    expect(isError, text).toBe(false);
    calls += 1;
    characters += JSON.stringify(data).length + text.length;
    return data;
  };
  const answer = { user_id: "park_03", content: "On its way.", reply_to: message.message_id };

  await call("madang_search_messages", { q: "refund" });
  await call("madang_send_message", { channel_id: "room_1", ...answer });
  const { reports } = await call("madang_list_reports", { status: "open" });
  await call("madang_resolve_report", { report_id: reports[0].report_id, resolution: "done" });
  const tasks = `takes ${calls} calls and about ${roundUp(characters)} characters of results with these tools`;

  [calls, characters] = [0, 0];
  const read = async (id: string, rest: object) => {
    await call("madang_search_operations", { q: id.replace(".", " ") });
    await call("madang_describe_operation", { operation: id });
    return call(rest && "body" in rest ? "madang_change" : "madang_read", { operation: id, ...rest });
  };
  await read("messages.searchAll", { query: { q: "refund" } });
  await read("messages.send", { path: { channel_id: "room_1" }, body: { type: "text", ...answer } });
  await read("reports.list", { query: { status: "resolved" } });
  await read("reports.resolve", {
    path: { report_id: reports[0].report_id },
    body: { status: "resolved", resolution: "done" },
  });
  await agent.close();
  const general = `and ${calls} calls\nand about ${roundUp(characters)} characters with the four general ones alone`;
  expect(guide).toContain(`${tasks}, ${general}`);
});

const format = (count: number) => count.toLocaleString("en-US");
/** Ids differ a little from run to run, and a sentence of the contract should not change the guide. */
const roundUp = (count: number) => format(Math.ceil(count / 500) * 500);
