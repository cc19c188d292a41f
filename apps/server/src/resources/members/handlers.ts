import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import type { Deps } from "../deps";
import { formatMessageId, requirePosition } from "../messages/message-id";
import { batchReadMarks } from "./batch";
import { presentEntry } from "./present";
import { joinChannel, leaveChannel, listMembers } from "./store";

export const memberHandlers = ({ db, now }: Deps) => {
  const markRead = batchReadMarks(db);
  return initServer().router(contract.channels.members, {
    list: async ({ params }) => ({
      status: 200,
      body: (await listMembers(db, params.channel_id)).map(presentEntry),
    }),
    join: async ({ params, body, res }) => {
      await joinChannel(once(db, res), params.channel_id, body.member, now());
      return { status: 200, body: undefined };
    },
    leave: async ({ params, body, res }) => {
      await leaveChannel(once(db, res), params.channel_id, body.member);
      return { status: 200, body: undefined };
    },
    markRead: async ({ params: { channel_id: channelId, user_id: userId }, body, res }) => {
      const position =
        body?.message_id === undefined ? undefined : requirePosition(channelId, body.message_id);
      const { unreadCount, mark } = await markRead(once(db, res), { channelId, userId, position });
      const read = mark && { read_message_id: formatMessageId(mark) };
      return { status: 200, body: { unread_count: unreadCount, ...read } };
    },
  });
};
