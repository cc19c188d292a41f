import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ChatClient, type TextMessage } from "@madang/client";
import { afterEach, expect, inject, onTestFinished, test } from "vitest";
import { listBlocks, root } from "./pages";
import { sendProblem, startProxy } from "./proxy";

const whole =
  "There is bibimbap, and there are cold noodles. The noodles are gone by half past twelve, so go early. 맛있게 드세요! 🍜";
const room = "assistant_room";
const chat = new ChatClient({ baseUrl: inject("url"), apiKey: inject("masterKey") });
const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) await kill(child);
});

/** Starts the assistant as its README says. */
async function startAssistant(url = inject("url")) {
  const command =
    /^npx node (.+)$/m.exec(listBlocks("examples/assistant/README.md")[0]?.code ?? "")?.[1] ?? "";
  const child = spawn(process.execPath, [command], {
    env: { ...process.env, MADANG_URL: url, MADANG_API_KEY: inject("masterKey") },
    cwd: fileURLToPath(root),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stderr.pipe(process.stderr);
  started.push(child);
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  await expect.poll(() => output).toContain("listening");
  return { child, output: () => output };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

const ask = (user_id = "assistant_kim") =>
  chat.messages.send(room, { user_id, type: "text", content: "What is for lunch?" });

/** The answer to a question, as soon as it has begun. */
async function findAnswer(questionId: string, minLength = 0): Promise<TextMessage> {
  let found: TextMessage | undefined;
  const look = async () => {
    const [message] = await chat.messages.list(room, { external_ids: [`answer_${questionId}`] }).toArray();
    found = message?.type === "text" ? message : undefined;
    return found?.content.length ?? -1;
  };
  await expect.poll(look, { interval: 30 }).toBeGreaterThanOrEqual(minLength);
  if (found === undefined) throw new Error("It has been found.");
  return found;
}

const part = {
  type: "tool",
  name: "menu",
  input: { day: "today" },
  output: { day: "today", dishes: ["bibimbap", "cold noodles"] },
};

test("the assistant answers, and stores its tool call as a part", async () => {
  await startAssistant();
  const { message_id } = await ask();
  const answer = await findAnswer(message_id, whole.length);
  await expect.poll(async () => (await findAnswer(message_id)).state).toBeUndefined();
  expect(await findAnswer(message_id)).toMatchObject({ content: whole, parts: [part], reply_to: message_id });
  expect(answer.user.user_id).toBe("assistant_bot");
});

test("anybody stops an answer, and the assistant goes on to the next question", async () => {
  const { output } = await startAssistant();
  const first = await ask();
  const answer = await findAnswer(first.message_id, 20);
  await chat.messages.finish(room, answer.message_id, { state: "cancelled" });
  const second = await ask("assistant_park");
  await findAnswer(second.message_id, whole.length);
  const stopped = await findAnswer(first.message_id);
  expect(stopped.state).toBe("cancelled");
  expect(whole.startsWith(stopped.content)).toBe(true);
  expect(stopped.content.length).toBeLessThan(whole.length);
  expect(output()).toContain(`cancelled ${first.message_id}`);
});

test("an assistant that is killed continues its answer, each question has one, and nothing is doubled", async () => {
  let assistant = await startAssistant();
  const questions = [await ask(), await ask("assistant_park")];
  for (const { message_id } of questions)
    for (const length of [10, 50]) {
      await findAnswer(message_id, length);
      await kill(assistant.child);
      const { content, state } = await findAnswer(message_id);
      expect([whole.startsWith(content), state]).toEqual([true, "streaming"]);
      assistant = await startAssistant();
    }
  for (const { message_id } of questions) {
    await expect.poll(async () => (await findAnswer(message_id)).state).toBeUndefined();
    expect(await findAnswer(message_id)).toMatchObject({ content: whole, parts: [part] });
    const replies = await chat.messages.replies(room, message_id).toArray({ max: 10 });
    expect(replies).toHaveLength(1);
  }
});

test("an assistant whose last event is no longer stored answers what it was asked while it was away", async () => {
  const { child } = await startAssistant();
  await kill(child);
  const { message_id } = await ask();
  const cursor = (await chat.users.get("assistant_bot")).meta.cursor ?? "";
  const proxy = await startProxy(
    ({ url = "" }, response) =>
      url.includes(encodeURIComponent(cursor)) && sendProblem(response, 410, "events_expired"),
  );
  onTestFinished(() => proxy.close());
  await startAssistant(proxy.url);
  await findAnswer(message_id, whole.length);
});
