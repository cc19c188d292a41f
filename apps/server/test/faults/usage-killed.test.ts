import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { collectEvents } from "../../src/db/citus/collect-events";
import { numberEvents } from "../../src/modules/events/numbering/number-store";
import { countUsage } from "../../src/modules/usage/store";
import { call } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { superviseProcess } from "./process";

const writers = 8;
const kills = scale(3, 20);
const dayMs = 86_400_000;

const database = await createDatabase();
afterAll(database.drop);

test("usage equals a count of the events after kills of the server and a switch of the day", async () => {
  const db = await openDatabase(database.url);
  /** Shifts the times that events get, as a clock of the database would that shows another time. */
  const setClock = (now: number) =>
    db.query({
      name: `test.set-clock-${now}`,
      text: `ALTER TABLE events ALTER created_at SET DEFAULT
        (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${now - Date.now()}`,
    });
  const midnight = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
  await setClock(midnight - 3_600_000);
  let server = await superviseProcess(database.url);
  const { url } = server;
  const channels = "/v1/group/channels";
  let isOver = false;
  let sent = 0;
  let acknowledged = 0;
  const act = async (method: string, path: string, body?: unknown) => {
    sent += 1;
    const reply = await call(url, method, path, body === undefined ? {} : { body });
    if (reply.status < 300) acknowledged += 1;
    return reply.body;
  };
  const load = Array.from({ length: writers }, async (_, writer) => {
    for (let turn = 0; !isOver; turn++) {
      const id = `user_${writer}_${turn}`;
      const work = async () => {
        await act("POST", "/v1/users", { user_id: id, name: "Kim" });
        await act("POST", channels, { channel_id: id, name: "Room", members: [id] });
        const text = { user_id: id, type: "text", content: "Hello" };
        const { message_id } = await act("POST", `${channels}/${id}/messages`, text);
        await act("POST", `/v1/imports/group/channels/${id}/messages`, {
          messages: [1, 2, 3].map((created_at) => ({ ...text, created_at })),
        });
        await act("DELETE", `${channels}/${id}/messages/${message_id}`);
        if (turn % 2 === 0) await act("DELETE", `/v1/users/${id}`);
      };
      await work().catch(() => sleep(5));
    }
  });
  for (let kill = 0; kill < kills; kill++) {
    // The day changes in the middle, while requests run.
    if (kill === Math.floor(kills / 2)) await setClock(midnight - 200);
    const goal = acknowledged + scale(40, 200);
    while (acknowledged < goal) await sleep(5);
    await server.end("SIGKILL");
    server = await superviseProcess(database.url, { PORT: new URL(url).port });
  }
  isOver = true;
  await Promise.all(load);
  await server.end("SIGTERM");

  await collectEvents(db, { waitsForLock: true });
  while ((await numberEvents(db, { waitsForLock: true })).isOvertaken);
  while ((await countUsage(db)) === true);
  const [counted, done] = await Promise.all([db.query<Day>(readUsage), db.query<Day>(countEvents)]);
  expect(done.map(({ day }) => day)).toEqual([midnight - dayMs, midnight].map(formatDay));
  expect(counted).toEqual(done);
  const total = done.reduce((sum, { all }) => sum + all, 0);
  await report({
    fault: `kill -9 of the server ${kills} times, with a switch of the day: usage of ${total.toLocaleString("en-US")} changes, compared with their events`,
    load: `${writers} writers`,
    sent,
    acknowledged,
  });
  await db.close();
});

interface Day {
  readonly day: string;
  readonly all: number;
}

const formatDay = (time: number) => new Date(time).toISOString().slice(0, 10);

const readUsage = {
  name: "test.read-usage",
  text: `SELECT day::text, users_created AS "usersCreated", users_deleted AS "usersDeleted",
      channels_created AS "channelsCreated", messages_sent AS "messagesSent", messages_imported AS "messagesImported",
      messages_deleted AS "messagesDeleted", users_created + users_deleted + channels_created + messages_sent
        + messages_imported + messages_deleted AS all
    FROM usage_days ORDER BY day`,
};

const countOf = (type: string) => `count(*) FILTER (WHERE type = '${type}')`;
const countEvents = {
  name: "test.count-events",
  text: `SELECT day, "usersCreated", "usersDeleted", "channelsCreated", "messagesSent", "messagesImported", "messagesDeleted",
      "usersCreated" + "usersDeleted" + "channelsCreated" + "messagesSent" + "messagesImported" + "messagesDeleted" AS all
    FROM (
      SELECT (to_timestamp(created_at / 1000) AT TIME ZONE 'UTC')::date::text AS day, ${countOf("user.created")} AS "usersCreated",
        ${countOf("user.deleted")} AS "usersDeleted", ${countOf("channel.created")} AS "channelsCreated",
        ${countOf("message.created")} AS "messagesSent",
        COALESCE(sum((detail->>'imported')::bigint) FILTER (WHERE type = 'messages.imported'), 0)::bigint AS "messagesImported",
        ${countOf("message.deleted")} AS "messagesDeleted"
      FROM events GROUP BY 1
    ) AS days ORDER BY day`,
};
