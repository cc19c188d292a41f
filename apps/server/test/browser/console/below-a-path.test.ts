import { ChatClient } from "@madang/client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openSignIn, signIn } from "../../support/console-page";
import { hasNginx, startNginxBelow } from "../../support/load-balancers";
import { findFreePort } from "../../support/ports";
import { masterKey, startServer } from "../../support/server";
import { hasBrowser, openBrowser } from "../browser";

let browser: Browser;
beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(!hasNginx || !hasBrowser).each([
  ["removes", true],
  ["keeps", false],
])("below /chat of a host, behind an nginx that %s the path", (_, isPathRemoved) => {
  test("the console, the docs, errors and files work with MADANG_PUBLIC_URL", async () => {
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/chat`;
    const server = await startServer({ settings: { MADANG_PUBLIC_URL: url, MADANG_CONSOLE: "on" } });
    onTestFinished(server.close);
    const nginx = await startNginxBelow("/chat", { port, server: server.url, isPathRemoved });
    onTestFinished(nginx.stop);
    const chat = new ChatClient({ baseUrl: url, apiKey: masterKey });
    await chat.users.create({ user_id: "kim_01", name: "Kim" });
    await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
    const menu = { user_id: "kim_01", name: "menu.txt", type: "text/plain" };
    const file = await chat.files.upload("lunch_01", Buffer.from("soup"), menu);
    expect(await (await fetch(file.url ?? "")).text()).toBe("soup");

    const rejected = await fetch(`${url}/v1/users/nobody`);
    const explained = new URL(Object(await rejected.json()).type, rejected.url);
    expect(explained.href).toBe(`${url}/docs#unauthenticated`);

    const { page, problems, open } = await openSignIn(browser, { ...server, url });
    await open("/channels");
    await signIn(page);
    await page.getByRole("link", { name: "Lunch" }).first().click();
    await page.waitForURL(`${url}/console/channels/lunch_01`);
    // A view at another depth, from its address alone.
    await page.reload();
    await page.locator("#main h1").waitFor();
    expect((await page.context().cookies()).map(({ path }) => path)).toEqual(["/chat"]);
    await page.goto(`${url}/docs`);
    expect(await page.evaluate("document.styleSheets.length")).toBeGreaterThan(0);
    await page.goto(`${url}/console`);
    await page.locator("#main h1").waitFor();
    expect(problems).toEqual([]);
  });
});
