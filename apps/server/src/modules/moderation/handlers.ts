import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { presentUser, presentUserTo, type Viewer } from "../../chat/users/present";
import { bindTo, type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { addBan, type BanRow, listBans, muteMember, removeBan, unmuteMember } from "./store";
import { suspendUser, unsuspendUser } from "./suspension-store";

export const moderationHandlers = (deps: ChatDeps) => ({
  users: suspensionHandlers(deps),
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
    list: async ({ params: { channel_id: channelId }, query, acting, channelDb }) => {
      const scope = `channels.bans.list ${channelId}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.banPage, acting);
      const { limit, after: before = newest } = pageQuery;
      const { channelPk, bans } = await listBans(channelDb, channelId, { before, count: limit + 1, acting });
      const owned = bindTo(pageQuery, "owner", channelPk);
      const positionOf = ({ bannedAt, userPk }: BanRow) => ({ createdAt: bannedAt, pk: userPk });
      const { items, ...next } = signPage(cursors, scope, owned, bans, positionOf);
      return { status: 200, body: { bans: items.map((ban) => presentBan(acting, ban)), ...next } };
    },
  });

const presentBan = (viewer: Viewer | undefined, ban: BanRow) => ({
  user: presentUserTo(viewer, ban),
  ...(ban.until > 0 && { until: ban.until }),
  ...(ban.reason !== null && { reason: ban.reason }),
  created_at: ban.bannedAt,
});
