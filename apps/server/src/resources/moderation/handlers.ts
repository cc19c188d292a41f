import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import { bindToOwner, type NoFilters, openPageQuery, signNextPage, takePage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import type { Deps } from "../deps";
import { presentUser } from "../users/present";
import { addBan, type BanRow, listBans, removeBan } from "./store";

export const banHandlers = ({ db, now, cursors }: Deps) =>
  initServer().router(contract.channels.bans, {
    add: async ({ params, body, res }) => {
      const { until = 0, reason } = body ?? {};
      await addBan(once(db, res), params.channel_id, params.user_id, { until, reason }, now());
      return { status: 200, body: undefined };
    },
    remove: async ({ params, res }) => {
      await removeBan(once(db, res), params.channel_id, params.user_id);
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
