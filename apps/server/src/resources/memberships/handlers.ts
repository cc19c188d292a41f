import { contract } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import type { Deps } from "../deps";
import { formatMessageId, requirePosition } from "../messages/message-id";
import { presentMembership } from "../users/present";
import { batchReadMarks } from "./batch";
import { managers, members } from "./store";

export const memberHandlers = ({ db, now }: Deps) => {
  const markRead = batchReadMarks(db);
  return initServer().router(contract.channels.members, {
    list: async ({ params }) => ({
      status: 200,
      body: (await members.list(db, params.channel_id)).map(presentMembership),
    }),
    join: async ({ params, body, res }) => {
      await members.add(once(db, res), params.channel_id, body.member, now());
      return { status: 200, body: undefined };
    },
    leave: async ({ params, body, res }) => {
      await members.remove(once(db, res), params.channel_id, body.member);
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

export const managerHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.channels.managers, {
    list: async ({ params }) => ({
      status: 200,
      body: (await managers.list(db, params.channel_id)).map(presentMembership),
    }),
    add: async ({ params, body, res }) => {
      await managers.add(once(db, res), params.channel_id, body.manager, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, body, res }) => {
      await managers.remove(once(db, res), params.channel_id, body.manager);
      return { status: 200, body: undefined };
    },
    removeByPath: async ({ params, res }) => {
      await managers.remove(once(db, res), params.channel_id, params.user_id);
      return { status: 200, body: undefined };
    },
  });
