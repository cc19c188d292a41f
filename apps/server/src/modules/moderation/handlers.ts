import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { presentChannel } from "../../chat/channels/present";
import type { ChatDeps } from "../../chat/deps";
import { presentUser, presentUserTo, type Viewer } from "../../chat/users/present";
import { requireUserPk } from "../../chat/users/store";
import { bindTo, type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { addBan, type BanRow, listBans, muteMember, removeBan, unmuteMember } from "./store";
import { suspendUser, unsuspendUser } from "./suspension-store";
import { listBansOfUser, positionOfBan } from "./user-bans-store";

export const moderationHandlers = (deps: ChatDeps) => ({
  users: { ...suspensionHandlers(deps), ...userBanHandlers(deps) },
  channels: { members: muteHandlers, bans: banHandlers(deps) },
});

const suspensionHandlers = ({ now }: ChatDeps) =>
  defineHandlers(contract.users, {
    suspend: async ({ params, body, writer }) => {
      const { until = 0, reason } = body ?? {};
      const user = await suspendUser(writer, params.user_id, { until, reason }, now());
      return { status: 200, body: presentUser(user) };
    },
    unsuspend: async ({ params, writer }) => {
      const user = await unsuspendUser(writer, params.user_id, now());
      return { status: 200, body: presentUser(user) };
    },
  });

const muteHandlers = defineHandlers(contract.channels.members, {
  mute: async ({ params, body, writer }) => {
    await muteMember(writer, params.channel_id, params.user_id, body?.until ?? 0);
    return { status: 200, body: undefined };
  },
  unmute: async ({ params, writer }) => {
    await unmuteMember(writer, params.channel_id, params.user_id);
    return { status: 200, body: undefined };
  },
});

const banHandlers = ({ now, cursors }: ChatDeps) =>
  defineHandlers(contract.channels.bans, {
    add: async ({ params, body, writer }) => {
      const { until = 0, reason } = body ?? {};
      await addBan(writer, params.channel_id, params.user_id, { until, reason }, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, writer }) => {
      await removeBan(writer, params.channel_id, params.user_id);
      return { status: 200, body: undefined };
    },
    list: async ({ params: { channel_id: channelId }, query, acting, db }) => {
      const scope = `channels.bans.list ${channelId}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.banPage, acting);
      const { limit, after: before = newest } = pageQuery;
      const { channelPk, bans } = await listBans(db, channelId, { before, count: limit + 1, acting });
      const owned = bindTo(pageQuery, "owner", channelPk);
      const positionOf = ({ bannedAt, userPk }: BanRow) => ({ createdAt: bannedAt, pk: userPk });
      const { items, ...next } = signPage(cursors, scope, owned, bans, positionOf);
      return { status: 200, body: { bans: items.map((ban) => presentBan(acting, ban)), ...next } };
    },
  });

const userBanHandlers = ({ cursors }: ChatDeps) =>
  defineHandlers(contract.users, {
    bans: async ({ params: { user_id: userId }, query, acting, db }) => {
      const scope = `users.bans ${userId}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.banPage, acting);
      const { limit, after: before = newest } = pageQuery;
      const userPk = await requireUserPk(db, userId);
      const owned = bindTo(pageQuery, "owner", userPk);
      const found = await listBansOfUser(db, userPk, { before, count: limit + 1 });
      const { items, ...next } = signPage(cursors, scope, owned, found, positionOfBan);
      const bans = items.map((ban) => ({
        channel: presentChannel(ban),
        ...presentRestriction(ban),
        created_at: ban.bannedAt,
      }));
      return { status: 200, body: { bans, ...next } };
    },
  });

const presentBan = (viewer: Viewer | undefined, ban: BanRow) => ({
  user: presentUserTo(viewer, ban),
  ...presentRestriction(ban),
  created_at: ban.bannedAt,
});

const presentRestriction = ({ until, reason }: Pick<BanRow, "until" | "reason">) => ({
  ...(until > 0 && { until }),
  ...(reason !== null && { reason }),
});
