import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import type { Db } from "../../db/db";
import { explainRejection } from "./may-send-store";

const server = await startServer();
afterAll(() => server.close());

test("what is asked at once shares statements, and each question gets its own answer", async () => {
  for (const user_id of ["kim_01", "lee_01"])
    await call(server.url, "POST", "/v1/users", { body: { user_id, name: "User" } });
  const send = async (room: string) => {
    const path = "/v1/group/channels";
    await call(server.url, "POST", path, { body: { channel_id: room, name: "Room", members: ["kim_01"] } });
    const body = { user_id: "kim_01", type: "text", content: "Hi", external_id: "m-1" };
    await call(server.url, "POST", `${path}/${room}/messages`, { body, idempotencyKey: `key-${room}` });
  };
  await send("room_1");
  await send("room_2");
  const [stored] = await server.db.query<{ caller: string }>({
    name: "test.caller",
    text: "SELECT caller FROM idempotency_keys WHERE key = 'key-room_1'",
  });
  const key = { caller: stored?.caller ?? "", key: "key-room_1", fingerprint: "" };
  let statements = 0;
  const counting: Db = {
    ...server.db,
    query(statement, values) {
      statements += 1;
      return server.db.query(statement, values);
    },
  };
  const ask = (
    channelId: string,
    question: Omit<Parameters<typeof explainRejection>[2], "userId">,
    userId = "kim_01",
  ) => explainRejection(counting, channelId, { userId, ...question }, undefined);
  const answers = await Promise.allSettled([
    ask("room_1", {}),
    ask("room_1", { mentions: ["kim_01", "lee_01"] }),
    ask("room_2", { externalId: "m-1" }),
    ask("room_2", {}, "lee_01"),
    ask("no_room", {}),
    ask("room_2", {}, "nobody"),
    ask("room_2", { key: { ...key, key: "another" } }),
    ask("no_room", { key }, "nobody"),
  ]);
  expect(statements).toBe(2);
  const none = { isMember: true, absentUser: null, namesake: null, isRepeated: false };
  expect(
    answers.map((answer) => (answer.status === "fulfilled" ? answer.value : answer.reason)),
  ).toMatchObject([
    { channelId: "room_1", ...none },
    { channelId: "room_1", ...none, absentUser: "lee_01" },
    { channelId: "room_2", ...none, namesake: { pk: expect.any(Number) } },
    { channelId: "room_2", ...none, isMember: false },
    { code: "channel_not_found" },
    { code: "user_not_found" },
    { channelId: "room_2", ...none },
    { isRepeated: true },
  ]);
});
