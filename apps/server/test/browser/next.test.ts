import { execFile, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPacked } from "../../../../packages/cli/test/support/install-packed";
import { chatWith } from "../support/chat";
import { findFreePort } from "../support/ports";
import { masterKey, startServer, type TestServer } from "../support/server";
import { hasBrowser, openBrowser } from "./browser";

const example = join(import.meta.dirname, "../../../../examples/next");
// Inside the example, where it finds Next.js and React. Turbopack follows no link out of the repository.
const copy = join(example, ".packed");
const createMadang = join(import.meta.dirname, "../../../../packages/create-madang/dist/main.js");
const next = join(example, "node_modules/next/dist/bin/next");
const room = "next_lunch";
const [kimId, parkId] = ["next_kim", "next_park"];

describe.skipIf(!hasBrowser)("the template next, with the packed packages", () => {
  let server: TestServer;
  let browser: Browser;
  let address: string;
  let application: { stop(): Promise<unknown> };
  let chat: ReturnType<typeof chatWith>;

  beforeAll(async () => {
    const port = await findFreePort();
    address = `http://localhost:${port}`;
    server = await startServer({ settings: { MADANG_ORIGINS: address } });
    chat = chatWith(server);
    await rm(copy, { recursive: true, force: true });
    await promisify(execFile)(process.execPath, [createMadang, copy, "--template", "next"]);
    installPacked(["packages/client", "packages/react"], copy);
    // It also checks the types.
    await promisify(execFile)(process.execPath, [next, "build"], { cwd: copy, env: environment() });
    application = await start(port);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await application?.stop();
    await server?.close();
    await rm(copy, { recursive: true, force: true });
  });

  const environment = () => ({
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    MADANG_URL: server.url,
    MADANG_API_KEY: masterKey,
    SESSION_SECRET: "only-for-tests",
  });

  async function start(port: number) {
    const args = [next, "start", "--port", String(port), "--hostname", "localhost"];
    const child = spawn(process.execPath, args, { cwd: copy, env: environment(), stdio: "pipe" });
    const exited = new Promise((resolve) => child.once("exit", resolve));
    let output = "";
    await new Promise<void>((resolve, reject) => {
      child.once("exit", () => reject(new Error(`Next.js ended instead of starting: ${output}`)));
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (text) => {
          output += text;
          if (output.includes("Ready in")) resolve();
        });
    });
    return {
      stop() {
        child.kill("SIGTERM");
        return exited;
      },
    };
  }

  async function signIn(name: string) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(address);
    await page.getByRole("button", { name: `Sign in as ${name}` }).click();
    await page.locator(".chat-line", { hasText: "Lunch" }).waitFor();
    const [session] = await context.cookies();
    return Object.assign(page, { errors, cookie: `${session?.name}=${session?.value}` });
  }

  test("the guide sets what the application reads, and starts it with the script that it has", async () => {
    const guide = await readFile(join(example, "../../docs/guides/nextjs.md"), "utf8");
    const [, commands = ""] = /```sh\n([\s\S]*?)```/.exec(guide) ?? [];
    const set = [...commands.matchAll(/^export (\w+)=/gm)].map(([, name]) => name);
    expect(set).toEqual(["MADANG_URL", "MADANG_API_KEY", "SESSION_SECRET"]);
    expect(environment()).toMatchObject(Object.fromEntries(set.map((name) => [name, expect.any(String)])));
    const { name, scripts } = JSON.parse(await readFile(join(example, "package.json"), "utf8"));
    expect(commands).toContain(`--filter=${name}...`);
    expect(commands).toContain("--dir examples/next run dev\n");
    const [, port] = /--port (\d+)/.exec(scripts.dev) ?? [];
    expect(guide).toContain(`MADANG_ORIGINS=http://localhost:${port} npm start`);
  });

  test("two people who are signed in write to each other, and the first page is rendered by the server", async () => {
    const [kim, park] = [await signIn("Kim Min-jun"), await signIn("박서연")];
    for (const page of [kim, park]) await page.locator(".chat-line", { hasText: "Lunch" }).click();
    await kim.getByLabel("Message", { exact: true }).fill("Noon?");
    await kim.getByRole("button", { name: "Send" }).click();
    await park.locator(".chat-row", { hasText: "Noon?" }).waitFor();

    const read = async (path: string) =>
      (await fetch(`${address}${path}`, { headers: { cookie: park.cookie } })).text();
    expect(await read(`/${room}`)).toMatch(/<li class="chat-row"[^>]*>.*Kim Min-jun.*Noon\?/);
    expect(await read("/")).toMatch(/class="chat-line".*Lunch/);
    await park.reload();
    await park.locator(".chat-row", { hasText: "Noon?" }).waitFor();
    await park.goBack();
    await park.getByText("Choose a conversation").waitFor();
    expect([kim.errors, park.errors]).toEqual([[], []]);
  });

  test("a token is for the session, and a page for members: a forged cookie and a stranger get nothing", async () => {
    const kim = await signIn("Kim Min-jun");
    const post = (cookie: string) => fetch(`${address}/chat-token`, { method: "POST", headers: { cookie } });
    const { token } = (await (await post(kim.cookie)).json()) as { token: string };
    const self = await fetch(`${server.url}/v1/users/${kimId}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(self.status).toBe(200);
    expect((await post("")).status).toBe(401);
    expect((await post(kim.cookie.replace(kimId, parkId))).status).toBe(401);

    await chat.channels.create({ channel_id: "next_secret", name: "Secret", members: [parkId] });
    await chat.messages.send("next_secret", { user_id: parkId, type: "text", content: "Not for Kim" });
    for (const channel of ["next_secret", "next_nothing"]) {
      const response = await fetch(`${address}/${channel}`, { headers: { cookie: kim.cookie } });
      expect([response.status, (await response.text()).includes("Not for Kim")]).toEqual([404, false]);
    }
  });
});
