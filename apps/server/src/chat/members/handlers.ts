import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { rejectMissingUser } from "../../errors/service-error";
import type { ChatDeps } from "../deps";
import { requirePosition } from "../message-id";
import { isSeenInFull, presentMembership } from "../users/present";
import { addMembers } from "./add-many-store";
import { presentMark } from "./present";
import { markRead, rejectMessageOfAnotherSchema, requireMember } from "./read-mark-store";
import { managers, members } from "./store";

export const memberHandlers = ({ now, db: database }: ChatDeps) =>
  defineHandlers(contract.channels.members, {
    list: async ({ params, acting, db }) => ({
      status: 200,
      body: (await members.list(db, params.channel_id, acting)).map((row) => ({
        ...presentMembership(acting, row),
        ...presentMark(row),
      })),
    }),
    get: async ({ params: { channel_id: channelId, user_id: userId }, acting, db }) => {
      const member = await requireMember(db, channelId, userId, acting);
      const body = {
        ...presentMembership(acting, member),
        ...(isSeenInFull(acting, member) && { unread_count: member.unreadCount }),
        ...presentMark(member),
      };
      return { status: 200, body };
    },
    join: async ({ params, body, writer, db }) => {
      await members.add(db, writer, params.channel_id, body.member, now());
      return { status: 200, body: undefined };
    },
    addMany: async ({ params: { channel_id: channelId }, body, writer, db }) => {
      const userIds = [...new Set(body.members)];
      const { joined, alreadyJoined } = await addMembers(db, writer, channelId, userIds, now());
      return { status: 200, body: { joined: [...joined], already_joined: [...alreadyJoined] } };
    },
    leave: async ({ params, body, writer }) => {
      const userId = body?.member ?? rejectMissingUser(body === undefined ? "" : "member");
      await members.remove(writer, params.channel_id, userId);
      return { status: 200, body: undefined };
    },
    markRead: async ({ params: { channel_id: channelId, user_id: userId }, body, writer }) => {
      const position =
        body?.message_id === undefined ? undefined : requirePosition(channelId, body.message_id);
      if (position !== undefined) await rejectMessageOfAnotherSchema(database, channelId, position);
      const state = await markRead(writer, { channelId, userId, position });
      return { status: 200, body: { unread_count: state.unreadCount, ...presentMark(state) } };
    },
  });

export const managerHandlers = ({ now }: ChatDeps) =>
  defineHandlers(contract.channels.managers, {
    list: async ({ params, acting, db }) => ({
      status: 200,
      body: (await managers.list(db, params.channel_id, acting)).map((row) => presentMembership(acting, row)),
    }),
    add: async ({ params, body, writer, db }) => {
      await managers.add(db, writer, params.channel_id, body.manager, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, body, writer }) => {
      await managers.remove(writer, params.channel_id, body.manager);
      return { status: 200, body: undefined };
    },
    removeByPath: async ({ params, writer }) => {
      await managers.remove(writer, params.channel_id, params.user_id);
      return { status: 200, body: undefined };
    },
  });
