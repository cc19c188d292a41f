import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { inOrder, requireAlone } from "../../paging/id-list";
import { jsonBytes } from "../../paging/page-bytes";
import { bindTo, openPageQuery, signNextPage, signPage, takePage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { shareReads } from "../../turns/share-reads";
import { presentUserChannel } from "./present";
import { countUserUnread, type InboxQuery, listUserChannels, type UserChannelRow } from "./store";

/** The operations of `users` that return channels and messages. */
export const inboxHandlers = ({ cursors, resources, attachments }: ChatDeps) => {
  const share = shareReads(resources.pages);
  return defineHandlers(contract.users, {
    channels: async ({
      params: { user_id: userId },
      query: { channel_ids: channelIds, unread: isUnread, members: hasMembers, ...query },
      acting,
      req,
      db,
    }) => {
      const urlOf = attachments.addressesFor(req);
      const present = (channel: UserChannelRow) => presentUserChannel(acting, channel, urlOf);
      const scope = `users.channels ${userId}`;
      const read = (inbox: InboxQuery) =>
        share(`${scope} ${JSON.stringify(inbox)}`, () => listUserChannels(db, userId, inbox));
      if (channelIds !== undefined) requireAlone("channel_ids", { ...query, unread: isUnread });
      const named = channelIds && [...new Set(channelIds)].join();
      const flags = { unread: isUnread?.toString(), members: hasMembers?.toString() };
      const sent = { ...query, ...flags, channel_ids: named };
      const pageQuery = openPageQuery<Filters>(cursors, scope, sent, limits.channelPage, acting);
      const { limit, filters, after = newest } = pageQuery;
      const ids = filters.channel_ids?.split(",");
      const found = await read({
        ...(ids && { channelIds: ids }),
        isOnlyUnread: filters.unread === "true",
        hasMembers: filters.members === "true",
        before: after,
        count: ids?.length ?? limit + 1,
      });
      const owned = bindTo(pageQuery, "owner", found.userPk);
      if (ids !== undefined) {
        const listed = inOrder(ids, found.channels, ({ channelId }) => channelId);
        const { items, last } = takePage(listed, ids.length, jsonBytes);
        const rest = last && ids.slice(ids.indexOf(last.channelId) + 1).join();
        const continued = { ...owned, filters: { ...filters, channel_ids: rest } };
        const next = last && { next: signNextPage(cursors, scope, continued, newest) };
        return { status: 200, body: { channels: items.map(present), ...next } };
      }
      const positionOf = ({ activeAt, channelPk }: UserChannelRow) => ({
        createdAt: activeAt,
        pk: channelPk,
      });
      const { items, ...next } = signPage(cursors, scope, owned, found.channels, positionOf, jsonBytes);
      return { status: 200, body: { channels: items.map(present), ...next } };
    },
    unread: async ({ params: { user_id: userId }, db }) => {
      const { unreadCount, channelCount } = await share(`users.unread ${userId}`, () =>
        countUserUnread(db, userId),
      );
      return { status: 200, body: { unread_count: unreadCount, channel_count: channelCount } };
    },
  });
};

type Filters = Partial<Record<"unread" | "members" | "channel_ids", string | undefined>>;
