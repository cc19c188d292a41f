import { afterAll, expect, test } from "vitest";
import type { CheckedText } from "../../src/chat/checks";
import { members } from "../../src/chat/members/store";
import { keyOf } from "../../src/chat/message-id";
import { sendMessage } from "../../src/chat/messages/send-store";
import type { Db } from "../../src/db/db";
import { addReaction } from "../../src/modules/reactions/store";
import { appendText } from "../../src/modules/streaming/append-store";
import { openWriter } from "../../src/write/writer";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";
import { untilBlocking } from "../support/until-blocking";

const server = await startServer();
afterAll(() => server.close());
const chat = chatWith(server);
const channelId = "room_1";
for (const user_id of ["kim_01", "late_02"]) await chat.users.create({ user_id, name: "U" });
await chat.channels.create({ channel_id: channelId, name: "Room", members: ["kim_01"] });
const ofKim = { user_id: "kim_01", type: "text" } as const;
const { message_id: messageId } = await chat.messages.send(channelId, { ...ofKim, streaming: true });

/** The database in which the channel changes whenever this statement waits for it, as beside many deletions and leaves. */
function whileChanging(name: string): Db {
  const schema = server.db.channel(channelId);
  const lock = `SELECT 1 FROM channels WHERE channel_id = '${channelId}' FOR UPDATE`;
  const change = `UPDATE channels SET moderation_revision = moderation_revision + 1 WHERE channel_id = '${channelId}'`;
  const changing: Db = {
    ...schema,
    channel: () => changing,
    schemas: () => [changing],
    async query(statement, values) {
      if (statement.name !== name) return schema.query(statement, values);
      const { rows } = await schema.transaction(async (tx) => {
        await tx.query({ name: "test.lock", text: lock });
        await tx.query({ name: "test.change", text: change });
        const rows = schema.query(statement, values);
        await untilBlocking((text) => tx.query({ name: "test.blocking", text }));
        return { rows };
      });
      return rows;
    },
  };
  return changing;
}

/** As if the checks had passed it. */
const content = "Hi" as CheckedText;
const message = {
  channelId,
  senderId: "kim_01",
  content,
  isStreaming: false,
  externalId: null,
  file: null,
  parts: null,
  meta: {},
  replyTo: null,
  mentions: null,
  fileIds: null,
  isReplaced: false,
  addToMessage: undefined,
};
const [, createdAt, pk] = keyOf({ channelId, messageId });

/** By the names of their statements. */
const writes: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  "messages.send": (db) => sendMessage(openWriter(db), message, 5_000),
  "members.add": (db) => members.add(db, openWriter(db), channelId, "late_02", 5_000),
  "reactions.add": (db) =>
    addReaction(openWriter(db), { channelId, messageId, reaction: "👍", userId: "kim_01" }, 5_000),
  "streaming.append": (db) =>
    appendText(openWriter(db), { channelId, messageId, createdAt, pk, index: 0, content }),
};

test.each(Object.entries(writes))(
  "%s is accepted although the channel changes whenever it waits for it",
  async (name, write) => {
    await write(whileChanging(name));
  },
);

test("each of them took effect once", async () => {
  expect(await chat.messages.list(channelId).toArray()).toMatchObject([
    { content: "Hi" },
    { content: "Hi", append_count: 1, reactions: [{ reaction: "👍", count: 1 }] },
  ]);
  expect(await chat.channels.members.list(channelId)).toMatchObject([
    { user_id: "kim_01" },
    { user_id: "late_02" },
  ]);
});
