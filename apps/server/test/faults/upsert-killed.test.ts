import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startProcess } from "./process";

const database = await createDatabase();
afterAll(database.drop);

const writers = 4;
const usersOf = (writer: number) =>
  Array.from({ length: 100 }, (_, index) => `user_${writer}_${String(index).padStart(2, "0")}`);

test("kill -9 of the server at any moment leaves no half request of users.upsertMany", async () => {
  let server = await startProcess(database.url);
  const { url } = server;
  const db = await openDatabase(database.url);
  let isOver = false;
  let sent = 0;
  let answered = 0;
  const acknowledged = new Array<number>(writers).fill(0);
  const load = acknowledged.map(async (_, writer) => {
    for (let version = 1; !isOver; version++) {
      const users = usersOf(writer).map((user_id) => ({
        user_id,
        name: `${version}`,
        meta: { team: `${version}` },
      }));
      sent += 1;
      const ended = await call(url, "PUT", "/v1/users", { body: { users } }).catch(() => sleep(5));
      if (ended?.status !== 200) continue;
      acknowledged[writer] = version;
      answered += 1;
    }
  });
  const kills = scale(3, 20);
  for (let round = 0; round < kills; round++) {
    const goal = answered + scale(20, 100);
    while (answered < goal) await sleep(1);
    await server.end("SIGKILL");
    const before = [...acknowledged];
    const found = await db.query<{ writer: number; versions: string[]; events: number; count: number }>(
      readUsers,
    );
    for (const { writer, versions, events, count } of found) {
      expect({ count, versions: versions.length, halfEvents: events % 100 }).toEqual({
        count: 100,
        versions: 1,
        halfEvents: 0,
      });
      expect(Number(versions[0])).toBeGreaterThanOrEqual(before[writer] ?? 0);
    }
    expect(found).toHaveLength(writers);
    server = await startProcess(database.url, { PORT: new URL(url).port });
  }
  isOver = true;
  await Promise.all(load);
  await server.end("SIGTERM");
  await db.close();
  await report({
    fault: "kill -9 of the server during requests of users.upsertMany: requests of which a part is stored",
    load: `${writers} writers, ${kills} kills`,
    sent,
    acknowledged: answered,
    wrong: 0,
  });
});

/** The users of each writer, and how many events they have. */
const readUsers = {
  name: "test.read-upserted",
  text: `SELECT split_part(user_id, '_', 2)::integer AS writer, count(*) AS count, array_agg(DISTINCT name || CASE WHEN name = meta->>'team' THEN '' ELSE ' half' END) AS versions,
      sum((SELECT count(*) FROM events e WHERE e.user_pk = u.pk))::integer AS events
    FROM users u WHERE starts_with(user_id, 'user_') GROUP BY 1 ORDER BY 1`,
};
