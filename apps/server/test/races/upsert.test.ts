import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callPatiently, type Reply } from "../support/call";
import { chatWith } from "../support/chat";
import { finishErasures } from "../support/erasures";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { type Rival, startRival } from "./rival";

/** Those of upserts with the single changes of users are in rejections.test.ts. */

let server: TestServer;
let other: Rival;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer();
  other = await startRival(server.databaseUrl);
  chat = chatWith(server);
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const upsert = (url: string, ids: readonly string[], name: string) =>
  callPatiently(url, "PUT", "/v1/users", { body: { users: ids.map((user_id) => ({ user_id, name })) } });

test("an upsert and an erasure of the same users: each is erased, and created again as a whole or not at all", async () => {
  const rounds = scale(15, 500);
  for (let round = 0; round < rounds; round++) {
    const ids = ["a", "b", "c", "d"].map((name) => `gone_${name}${round}`);
    await upsert(server.url, ids, "Before");
    const [replies] = await Promise.all([
      Promise.all([upsert(other.url, ids, "After"), upsert(server.url, ids.toReversed(), "After")]),
      sleep(round % 4).then(async () => {
        for (const user_id of ids) await chat.privacy.erase({ user_id, messages: "erase" });
      }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  }
  await finishErasures(server.db);
  const wrong = await server.db.query<object>({
    name: "test.find-wrong",
    text: `SELECT user_id, name FROM users WHERE starts_with(user_id, 'gone_') AND deleted_at IS NULL AND name <> 'After'
      UNION ALL SELECT user_id, count(*)::text FROM users WHERE deleted_at IS NULL GROUP BY user_id HAVING count(*) > 1
      UNION ALL SELECT user_id, name FROM users WHERE deleted_at IS NOT NULL AND name IN ('Before', 'After')`,
  });
  expect(wrong).toEqual([]);
  await report({
    fault: "upserts and erasures of the same users",
    load: "2 processes",
    sent: rounds * 2,
    acknowledged: rounds * 2,
  });
});

test("concurrent upserts in different orders create each user once, and none waits for another forever", async () => {
  for (let round = 0; round < scale(10, 300); round++) {
    const ids = Array.from({ length: 100 }, (_, index) => `once_${round}_${index}`);
    // Some exist before.
    await upsert(server.url, ids.slice(40, 50), "User");
    const orders = [ids, ids.toReversed(), ids.slice(30), ids.slice(0, 70).toReversed()];
    const replies: Reply[] = await Promise.all(
      orders.map((order, index) => upsert(index % 2 === 0 ? server.url : other.url, order, "User")),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const created = replies.flatMap(({ body }) =>
      body.results.flatMap(({ user_id, result }: { user_id: string; result: string }) =>
        result === "created" ? [user_id] : [],
      ),
    );
    expect(created.toSorted()).toEqual([...ids.slice(0, 40), ...ids.slice(50)].toSorted());
  }
});
