import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openBrowser } from "../support/browser";
import { chatWith } from "../support/chat";
import { masterKey, startServer, type TestServer } from "../support/server";

// The program of examples/relay/README.md.
const program = fileURLToPath(new URL("../../../../examples/relay/main.ts", import.meta.url));

describe.skipIf(!hasBrowser)("the relay to browsers", () => {
  let server: TestServer;
  let urls: string[];
  let stop: () => Promise<unknown>;
  beforeAll(async () => {
    server = await startServer();
    const relay = spawn(process.execPath, [program], {
      env: { PATH: process.env.PATH, MADANG_URL: server.url, MADANG_API_KEY: masterKey, RELAY_PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    stop = () => {
      const exited = new Promise((resolve) => relay.once("exit", resolve));
      relay.kill("SIGTERM");
      return exited;
    };
    urls = await new Promise((resolve, reject) => {
      let output = "";
      relay.once("exit", () => reject(new Error("The relay ended instead of starting.")));
      relay.stdout.on("data", (chunk) => {
        output += chunk;
        const found = output.match(/http:\S+/g) ?? [];
        if (found.length === 2) resolve(found);
      });
    });
  });
  afterAll(async () => {
    await stop();
    await server.close();
  });

  test("two people see each other's messages at once, and nothing of other channels", async () => {
    const browser = await openBrowser();
    const [kim, park] = await Promise.all(
      urls.map(async (url) => {
        const page = await browser.newPage({ viewport: { width: 560, height: 520 } });
        await page.goto(url);
        await page.getByText("Connected").waitFor();
        return page;
      }),
    );
    if (kim === undefined || park === undefined) throw new Error("The relay printed no addresses.");
    const chat = chatWith(server);
    await chat.users.create({ user_id: "other_1", name: "Other" });
    await chat.channels.create({ channel_id: "other_room", name: "Other", members: ["other_1"] });
    await chat.messages.send("other_room", { user_id: "other_1", type: "text", content: "Secret" });
    for (const [page, text] of [
      [kim, "Lunch at noon?"],
      [park, "Gladly. The usual place?"],
      [kim, "See you there."],
    ] as const) {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
      for (const each of [kim, park]) await each.getByText(text).waitFor();
    }
    expect(await park.getByRole("listitem").allInnerTexts()).toEqual([
      "Kim\nLunch at noon?",
      "Park\nGladly. The usual place?",
      "Kim\nSee you there.",
    ]);
    if (process.env.MADANG_SCREENSHOT !== undefined)
      await park.screenshot({ path: process.env.MADANG_SCREENSHOT });
    await browser.close();
  });
});
