import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { report, scale } from "../support/report";
import { masterKey, startServer } from "../support/server";

const server = await startServer();
const chat = chatWith(server);
await chat.users.create({ user_id: "bot_01", name: "Bot" });
await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["bot_01"] });
afterAll(() => server.close());

const program = new URL("writer.ts", import.meta.url).pathname;
const whole = Array.from({ length: 400 }, (_, index) => `${index} `).join("");

async function startWriter(messageId?: string) {
  const env = { PATH: process.env.PATH, MADANG_URL: server.url, MADANG_API_KEY: masterKey };
  const child = spawn(process.execPath, [program, ...(messageId === undefined ? [] : [messageId])], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(process.stderr);
  const exited = once(child, "exit");
  const [printed] = await once(child.stdout, "data");
  return { child, exited, messageId: String(printed).trim() };
}

const readText = async (messageId: string) => {
  const message = await chat.messages.get("room_1", messageId);
  return message.type === "file" ? "" : message.content;
};

test("kill -9 of a writer at any moment leaves a prefix of its text, and the next writer completes it", async () => {
  const kills = scale(6, 20);
  let killed = 0;
  let messages = 0;
  while (killed < kills) {
    let { child, exited, messageId } = await startWriter();
    messages += 1;
    for (;;) {
      const ended = await Promise.race([
        exited.then(([code]) => code === 0),
        sleep(Math.random() * 600, false),
      ]);
      if (ended) break;
      child.kill("SIGKILL");
      await exited;
      killed += 1;
      const text = await readText(messageId);
      expect(whole.startsWith(text)).toBe(true);
      const message = await chat.messages.get("room_1", messageId);
      // It was killed after the message had ended.
      if (message.type === "file" || message.state === undefined) break;
      ({ child, exited } = await startWriter(messageId));
    }
    expect(await readText(messageId)).toBe(whole);
    expect(await chat.messages.get("room_1", messageId)).not.toHaveProperty("state");
  }
  await report({
    fault: "kill -9 of a writer",
    load: `${messages} streamed messages`,
    sent: messages,
    acknowledged: messages,
  });
});
