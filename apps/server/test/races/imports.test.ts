import { afterAll, expect, test } from "vitest";
import { callPatiently } from "../support/call";
import { scale } from "../support/report";
import { startServer, startServerOn } from "../support/server";

const first = await startServer();
const servers = [first, await startServerOn(first.databaseUrl)] as const;
afterAll(async () => {
  await servers[1].close();
  await servers[0].close();
});

async function send(index: number, method: string, path: string, body?: unknown) {
  const { url } = servers[index % 2 === 0 ? 0 : 1];
  const reply = await callPatiently(url, method, path, body === undefined ? {} : { body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const batchSize = 50;
const history = Array.from({ length: scale(600, 6_000) }, (_, index) => ({
  external_id: `m-${index}`,
  user_id: index % 3 === 0 ? "kim_01" : "lee_02",
  // Many messages of one millisecond.
  created_at: 1_600_000_000_000 + Math.floor(index / 7),
  ...(index % 5 === 0
    ? { type: "file", file: { type: "text/plain", name: "a", url: "https://example.com/a", size: index } }
    : { type: "text", content: `Message ${index}` }),
}));
const batches = Array.from({ length: history.length / batchSize }, (_, index) =>
  history.slice(index * batchSize, (index + 1) * batchSize),
);

test("importers of the same data in two processes, beside senders, leave one history and exact totals", async () => {
  for (const user_id of ["kim_01", "lee_02"]) await send(0, "POST", "/v1/users", { user_id, name: user_id });
  const channel = { channel_id: "room_1", name: "Race", members: ["kim_01", "lee_02"], reuse: false };
  await send(0, "POST", "/v1/group/channels", channel);
  const counted = { imported: 0, skipped: 0 };
  const importAll = async (importer: number) => {
    for (const messages of batches) {
      const path = "/v1/imports/group/channels/room_1/messages";
      const { imported, skipped } = await send(importer, "POST", path, { messages });
      counted.imported += imported;
      counted.skipped += skipped;
    }
  };
  const sends = 40;
  const sendAll = async (sender: number) => {
    const body = { user_id: "kim_01", type: "text", content: "sent" };
    for (let index = 0; index < sends / 2; index++)
      await send(sender, "POST", "/v1/group/channels/room_1/messages", body);
  };
  const importers = 4;
  await Promise.all([
    ...Array.from({ length: importers }, (_, index) => importAll(index)),
    sendAll(0),
    sendAll(1),
  ]);

  expect(counted).toEqual({ imported: history.length, skipped: history.length * (importers - 1) });
  const stored: { external_id?: string }[] = [];
  for (let next: string | undefined = "limit=1000"; next !== undefined; ) {
    const page: { messages: []; next?: string } = await send(
      0,
      "GET",
      `/v1/exports/group/channels/room_1/messages?${next}`,
    );
    stored.push(...page.messages);
    next = page.next && `next=${page.next}`;
  }
  const ids = stored.flatMap(({ external_id }) => external_id ?? []);
  expect(ids.toReversed()).toEqual(history.map(({ external_id }) => external_id));
  expect(await send(0, "GET", "/v1/group/channels/room_1")).toMatchObject({
    total_message_count: history.length + sends,
    total_file_count: history.length / 5,
  });
});

test("a user who is deleted meanwhile is the sender of all messages of a request, or of none", async () => {
  const path = "/v1/imports/group/channels/room_2/messages";
  const channel = { channel_id: "room_2", name: "Race", members: [], reuse: false };
  await send(0, "POST", "/v1/group/channels", channel);
  const rounds = scale(10, 100);
  let expected = 0;
  for (let round = 0; round < rounds; round++) {
    await send(0, "POST", "/v1/users", { user_id: "late_01", name: "Late" });
    const messages = history.slice(0, 20).map((message, index) => ({
      ...message,
      external_id: `${round}-${index}`,
      user_id: index === 19 ? "late_01" : "kim_01",
    }));
    const [reply] = await Promise.all([
      callPatiently(servers[1].url, "POST", path, { body: { messages } }),
      send(0, "DELETE", "/v1/users/late_01"),
    ]);
    expect([200, 404]).toContain(reply.status);
    if (reply.status === 200) expected += messages.length;
  }
  const { total_message_count } = await send(0, "GET", "/v1/group/channels/room_2");
  expect(total_message_count).toBe(expected);
});
