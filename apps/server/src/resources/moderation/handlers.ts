import { contract, limits } from "@madang/contract";
import { bindToOwner, type NoFilters, openPageQuery, signNextPage, takePage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { defineHandlers } from "../../write/handlers";
import type { Deps } from "../deps";
import { presentUser } from "../users/present";
import { addBan, type BanRow, listBans, removeBan } from "./store";

export const banHandlers = ({ db, now, cursors }: Deps) =>
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
    list: async ({ params: { channel_id: channelId }, query }) => {
      const scope = `channels.bans.list ${channelId}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.banPage.default);
      const { limit, after = newest } = pageQuery;
      const { channelPk, bans } = await listBans(db, channelId, after, limit + 1);
      const owned = bindToOwner(pageQuery, channelPk);
      const { items, last } = takePage(bans, limit);
      const position = last && { createdAt: last.bannedAt, pk: last.userPk };
      return {
        status: 200,
        body: {
          bans: items.map(presentBan),
          ...(position && { next: signNextPage(cursors, scope, owned, position) }),
        },
      };
    },
  });

const presentBan = (ban: BanRow) => ({
  user: presentUser(ban),
  ...(ban.until > 0 && { until: ban.until }),
  ...(ban.reason !== null && { reason: ban.reason }),
  created_at: ban.bannedAt,
});
