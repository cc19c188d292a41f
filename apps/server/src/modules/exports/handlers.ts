import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { rejectUnknownChannel } from "../../chat/channels/store";
import type { ChatDeps } from "../../chat/deps";
import { positionOf } from "../../chat/messages/store";
import { bindTo, openPageQuery, signPage } from "../../paging/page-query";
import { dateRange } from "./date-range";
import { createMeter, presentMessages } from "./present";
import { readMessagePage } from "./store";

export const exportHandlers = ({ cursors, attachments }: ChatDeps) =>
  defineHandlers(contract.exports, {
    messages: async ({ params, query, req, db }) => {
      const scope = `exports.messages ${params.channel_id}`;
      const pageQuery = openPageQuery<Filters>(cursors, scope, withZone(query), limits.exportPage);
      const { filters, limit, after } = pageQuery;
      const { timezone = "UTC" } = filters;
      const { since, until } = dateRange(filters.start_date, filters.end_date, timezone);
      const before = after ?? { createdAt: until, pk: 0 };
      const found = await readMessagePage(db, {
        channelId: params.channel_id,
        since,
        before,
        count: limit + 1,
      });
      if (found === undefined) return rejectUnknownChannel(params.channel_id);
      const owned = bindTo(pageQuery, "owner", found.channelPk);
      const bytesOf = createMeter(found);
      const { items, ...next } = signPage(cursors, scope, owned, found.rows, positionOf, bytesOf);
      const urlOf = attachments.addressesFor(req);
      const messages = presentMessages(params.channel_id, { ...found, rows: items }, urlOf);
      return { status: 200, body: { messages, timezone, ...next } };
    },
  });

type Filters = Partial<Record<"start_date" | "end_date" | "timezone", string | undefined>>;

/** The default time zone of a first page. Later pages have the one in their cursor. */
function withZone<Query extends Filters & { next?: string | undefined }>(query: Query): Query {
  return query.next === undefined ? { ...query, timezone: query.timezone ?? "UTC" } : query;
}
