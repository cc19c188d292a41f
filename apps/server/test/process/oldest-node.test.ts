import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked } from "../../../../packages/cli/test/support/install-packed";
import { findNewerBuiltIns, type Platforms } from "../support/built-ins";
import { chatWith } from "../support/chat";
import { masterKey, startServer, type TestServer } from "../support/server";

// The packed packages, where they say that they run: on the Node of the machine, which CI chooses, and in older browsers.

const packages = join(import.meta.dirname, "../../../../packages");
const names = ["client", "react", "mcp", "cli"] as const;

// A real path: a package finds what it depends on beside its real folder.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "madang-oldest-")));
let server: TestServer;
beforeAll(async () => {
  installPacked(
    names.map((name) => `packages/${name}`),
    folder,
  );
  for (const name of ["react", "react-dom"])
    symlinkSync(realpathSync(join(packages, "react/node_modules", name)), join(folder, "node_modules", name));
  server = await startServer();
  const chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

/** Runs the Node of the machine, and not that of the repository. */
const environment = () => ({
  HOME: folder,
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((path) => !path.includes("node_modules"))
    .join(delimiter),
  MADANG_URL: server.url,
  MADANG_API_KEY: masterKey,
});

const run = async (...args: string[]) =>
  (await promisify(execFile)("node", args, { cwd: folder, env: environment() })).stdout.trim();
const runModule = (program: string) => run("--input-type=module", "--eval", program);
const manifestOf = (name: string) => JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
const madang = "node_modules/@madang/cli/dist/main.js";

describe("on the Node of the machine", () => {
  test("the SDK, as an ES module and as CommonJS, sends, lists and listens", async () => {
    const use = `
      const chat = new ChatClient();
      let listening, next;
      await new Promise((onConnection) => {
        listening = chat.events.listen({ after: "latest", channel_id: "lunch_01", onConnection });
        next = listening.next();
      });
      await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "Noon?" });
      const { value } = await next;
      await listening.return();
      const [message] = await chat.messages.list("lunch_01").toArray({ max: 10 });
      console.log(value.type, message.content);`;
    expect(await runModule(`import { ChatClient } from "@madang/client"; ${use}`)).toBe(
      "message.created Noon?",
    );
    const main = `const { ChatClient } = require("@madang/client"); void (async () => {${use}})();`;
    expect(await run("--eval", main)).toBe("message.created Noon?");
  });

  test.each([
    ["import", (name: string) => `await import("${name}")`],
    ["require", (name: string) => `createRequire(import.meta.url)("${name}")`],
  ])("the kit renders a page, and its stores receive a message: %s", async (_, load) => {
    const { token } = await chatWith(server).users.createToken("kim_01");
    const program = `
      import { createRequire } from "node:module";
      const { createElement } = ${load("react")};
      const { renderToString } = ${load("react-dom/server")};
      const { ChatProvider, useConversation } = ${load("@madang/react")};
      const { ChatStore, Conversation } = ${load("@madang/react/store")};
      const props = { url: ${JSON.stringify(server.url)}, token: ${JSON.stringify(token)} };
      const Page = () => useConversation("lunch_01").state;
      console.log(renderToString(createElement(ChatProvider, props, createElement(Page))));
      const store = new ChatStore(props);
      const disconnect = store.connect();
      const conversation = new Conversation(store, "lunch_01");
      const leave = conversation.connect();
      await new Promise((resolve) => conversation.state.subscribe(() => conversation.state.get().state === "ready" && resolve()));
      conversation.send({ content: "From a store" });
      await new Promise((resolve) => conversation.state.subscribe(() => {
        const { message } = conversation.state.get().messages.at(-1) ?? {};
        if (message?.message_id && message.content === "From a store") resolve();
      }));
      leave();
      disconnect();
      console.log("received");
      process.exit();`;
    expect(await runModule(program)).toBe("loading\nreceived");
  });

  test("the command runs, and all that it loads later can be loaded", async () => {
    expect(JSON.parse(await run(madang, "users", "get", "kim_01", "--json"))).toMatchObject({ name: "Kim" });
    const files = readdirSync(join(folder, "node_modules/@madang/cli/dist")).filter((file) =>
      file.endsWith(".js"),
    );
    // These two run the command.
    for (const file of files.filter((each) => !["main.js", "command.js"].includes(each)))
      await runModule(`await import("./node_modules/@madang/cli/dist/${file}")`);
  });

  test("an agent finds a user, by the command and by the package", async () => {
    const child = spawn("node", [madang, "mcp", "--read-only"], { cwd: folder, env: environment() });
    const lines = createInterface({ input: child.stdout });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "test-agent", version: "1.0.0" };
    send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
    });
    send({ method: "notifications/initialized" });
    send({ id: 2, method: "tools/call", params: { name: "madang_find_users", arguments: {} } });
    for await (const line of lines) {
      const { id, result } = JSON.parse(line);
      if (id !== 2) continue;
      expect(result.structuredContent).toMatchObject({ users: [{ user_id: "kim_01" }] });
      break;
    }
    child.kill();
    const program = `import { serveHttp } from "@madang/mcp";
      const { url, close } = await serveHttp({ baseUrl: process.env.MADANG_URL, port: 0, readOnly: true });
      console.log(url);
      process.exit();`;
    expect(await runModule(program)).toMatch(/^http:/);
  });
});

describe("the files have no newer built-ins than", () => {
  const browsers = /Chrome and\s+Edge (\d+), Firefox (\d+), Safari ([\d.]+)/;
  /** What `engines` and the README say. */
  const platformsOf = (name: string): Platforms => {
    const [nodejs = ""] = /[\d.]+/.exec(manifestOf(name).engines.node) ?? [];
    const [, chrome = "", firefox = "", safari = ""] =
      browsers.exec(readFileSync(join(packages, name, "README.md"), "utf8")) ?? [];
    const ofPages = { chrome, edge: chrome, chrome_android: chrome, firefox, safari, safari_ios: safari };
    return { nodejs, ...(chrome !== "" && ofPages) };
  };

  /** The Node of the job in CI. */
  const workflow = readFileSync(join(packages, "../.github/workflows/ci.yml"), "utf8");
  const [, oldest] = /oldest-node:[\s\S]*?node-version: ([\d.]+)/.exec(workflow) ?? [];

  /** Members of this name belong to something else here. */
  const others = [".node", ".toArray", ".InternalError", ".createContext", ".watch"];
  /** In pages and service workers only: on a server nothing is kept, and nobody clicks. */
  const inPages = [".setItem", ".notification"];

  test.each(names)("%s has", (name) => {
    const platforms = platformsOf(name);
    if (name === "client" || name === "react") expect(platforms.safari).toBe("16.4");
    expect(`${platforms.nodejs}.0`).toBe(oldest);
    const dist = join(folder, "node_modules/@madang", name, "dist");
    const files = readdirSync(dist).filter((file) => /\.c?js$/.test(file));
    expect(files.length).toBeGreaterThan(0);
    const ecmaVersion = platforms.safari === undefined ? 2024 : 2022;
    for (const file of files) {
      const found = findNewerBuiltIns(readFileSync(join(dist, file), "utf8"), platforms, ecmaVersion);
      expect([file, found.filter((each) => ![...others, ...inPages].includes(each))]).toEqual([file, []]);
    }
  });

  test.each([
    ["Promise.withResolvers()", ["Promise.withResolvers"]],
    ["globalThis.Map.groupBy([], String)", ["Map.groupBy"]],
    ["export const sorted = (list) => list.toSorted();", [".toSorted"]],
    ["new CloseEvent('close')", ["CloseEvent"]],
    ["const a = globalThis.CloseEvent ?? class {};", []],
    ["export const any = AbortSignal.any?.([]);", []],
  ])("what is looked for is found: %s", (program, found) => {
    expect(findNewerBuiltIns(program, { nodejs: "18.0.0" }, 2022)).toEqual(found);
  });
});
