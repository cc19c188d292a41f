import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { createDatabase } from "../support/database";
import { goOnline, untilOnline, watch } from "../support/presence";
import { report } from "../support/report";
import { startServerOn } from "../support/server";
import { startProcess } from "./process";

/** What is promised. */
const maxOfflineMs = 30_000;

const database = await createDatabase();
const server = await startServerOn(database.url);
afterAll(async () => {
  await server.close();
  await database.drop();
});

test("the users of a process that was killed are offline within 30 seconds", async () => {
  const chat = chatWith(server);
  for (const user_id of ["kim_01", "lee_02", "park_03"]) await chat.users.create({ user_id, name: "Kim" });
  await chat.channels.create({
    channel_id: "room_1",
    name: "Room",
    members: ["kim_01", "lee_02", "park_03"],
  });
  const killed = await startProcess(database.url);
  const own = { ...server, url: killed.url };
  await goOnline(own, "kim_01");
  await goOnline(own, "park_03");
  const watching = await watch(server, "lee_02", ["kim_01", "park_03"]);
  await expect.poll(() => watching.shown.toSorted()).toEqual(["kim_01 online", "park_03 online"]);
  await killed.end("SIGKILL");
  // One of them has another process at once.
  const moved = await goOnline(server, "park_03");
  const startedAt = performance.now();
  const elapsed = await untilOnline(server, "kim_01", false);
  await expect.poll(() => watching.shown).toContain("kim_01 offline");
  const shownMs = performance.now() - startedAt;
  await report({
    fault: "kill -9 of a process with users online",
    load: "until they are offline",
    sent: 2,
    acknowledged: 2,
    maxOutageMs: Math.round(Math.max(elapsed, shownMs)),
  });
  expect(elapsed).toBeLessThan(maxOfflineMs);
  expect(shownMs).toBeLessThan(maxOfflineMs);
  expect(watching.shown).not.toContain("park_03 offline");
  for (const stream of [moved, watching]) stream.close();
});
