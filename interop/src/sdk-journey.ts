import { ChatClient, isChatError } from "@madang/client";

/** Sequences of calls: pages of both user lists, an export of several pages, a reused channel, errors. */
export async function journeyWithSdk(
  baseUrl: string,
  apiKey: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const chat = new ChatClient({ baseUrl, apiKey, fetch, maxRetries: 0 });
  const ids = Array.from({ length: 12 }, (_, index) => `trip_${index}_x`);
  for (const user_id of ids) await chat.users.create({ user_id, name: "길동", meta: { 부서: "파랑" } });
  const newestFirst = ids.toReversed().join();
  const pages = await chat.users.list({ name: "길동", pageSize: 5 }).toArray();
  expect("pages by cursor", pages.map(({ user_id }) => user_id).join(), newestFirst);
  const [newest = ""] = ids.slice(-1);
  const older = await chat.users.list({ name: "길동", pageSize: 5, base_user_id: newest }).toArray();
  expect("pages by reference", [newest, ...older.map(({ user_id }) => user_id)].join(), newestFirst);

  const [one = "", other = ""] = ids;
  const pair = { name: "둘", members: [one, other], reuse: true };
  const first = await chat.channels.create({ channel_id: "trip_pair_1", ...pair });
  const second = await chat.channels.create({ channel_id: "trip_pair_2", ...pair });
  expect("a reused channel", `${second.channel.channel_id} ${second.created}`, "trip_pair_1 false");
  for (let count = 0; count < 250; count += 1)
    await chat.messages.send(first.channel.channel_id, {
      user_id: one,
      type: "text",
      content: `${count} 번째`,
    });
  const messages = await chat.exports
    .messages("trip_pair_1", { pageSize: 100, timezone: "Asia/Seoul" })
    .toArray();
  expect("an export of three pages", String(messages.length), "250");

  const { key } = await chat.keys.create();
  const sub = new ChatClient({ baseUrl, apiKey: key, fetch, maxRetries: 0 });
  await expectCode("master_key_required", () => sub.keys.list());
  await chat.channels.freeze("trip_pair_1", true);
  const message = { user_id: one, type: "text", content: "Hello" } as const;
  await expectCode("channel_frozen", () => sub.messages.send("trip_pair_1", message));
  await expectCode("not_a_participant", () =>
    sub.messages.send("trip_pair_1", { ...message, user_id: newest }),
  );
  await expectCode("user_exists", () => sub.users.create({ user_id: one, name: "Kim" }));
  await expectCode("manager_not_found", () => sub.channels.managers.remove("trip_pair_1", one));
  await chat.keys.delete(key);
}

function expect(what: string, actual: string, expected: string): void {
  if (actual !== expected) throw new Error(`${what}: ${actual} instead of ${expected}`);
}

async function expectCode(code: string, call: () => Promise<unknown>): Promise<void> {
  const error: unknown = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect("the error code", isChatError(error) ? String(error.code) : "none", code);
}
