import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { withWorkAfter } from "../../../test/support/work-after";
import type { Statement } from "../../db/db";
import { openWriter } from "../../write/writer";
import { importMessages } from "./store";

const countFive: Statement<unknown> = {
  name: "test.count-five",
  text: "UPDATE channels SET total_message_count = total_message_count + 5 WHERE channel_id = 'late_room' RETURNING 1",
};

test("an import counts on what others counted in a channel that was created after its lock", async () => {
  const server = await startServer();
  const post = (path: string, body: object) => call(server.url, "POST", path, { body });
  await post("/v1/users", { user_id: "kim_01", name: "Kim" });
  let counting: Promise<void> | undefined;
  const createAndCount = async () => {
    await post("/v1/group/channels", { channel_id: "late_room", name: "Room", members: ["kim_01"] });
    const counted = Promise.withResolvers<void>();
    // The import begins while this is not committed.
    counting = server.db.transaction(async (tx) => {
      await tx.query(countFive);
      counted.resolve();
      await sleep(300);
    });
    await counted.promise;
  };
  const writer = openWriter(withWorkAfter("channels.lock-with-users", server.db, createAndCount));
  const encodedMessages = Buffer.from(JSON.stringify([{ content: "Welcome", created_at: 1_000 }]));
  await importMessages(writer, {
    channelId: "late_room",
    userIds: [],
    withFiles: [],
    encodedMessages,
  });
  await counting;
  const { body } = await call(server.url, "GET", "/v1/group/channels/late_room");
  expect(body.total_message_count).toBe(6);
  await server.close();
});
