import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { notAParticipant } from "../../chat/restrictions/errors";
import { inOrder, requireAlone } from "../../paging/id-list";
import { jsonBytes } from "../../paging/page-bytes";
import { bindTo, openPageQuery, signNextPage, signPage, takePage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { shareReads } from "../../turns/share-reads";
import { setPreferences } from "./preferences-store";
import { presentUserChannel } from "./present";
import { type InboxFilter, type InboxQuery, listUserChannels, type UserChannelRow } from "./store";
import { countUserUnread } from "./unread-store";

/** The operations of `users` that return channels and messages. */
export const inboxHandlers = ({ cursors, resources, attachments }: ChatDeps) => {
  const share = shareReads(resources.pages);
  return defineHandlers(contract.users, {
    channels: async ({
      params: { user_id: userId },
      query: { channel_ids: channelIds, members: hasMembers, unread, hidden, archived, pinned, ...query },
      acting,
      req,
      db,
    }) => {
      const urlOf = attachments.addressesFor(req);
      const present = (channel: UserChannelRow) => presentUserChannel(acting, channel, urlOf);
      const scope = `users.channels ${userId}`;
      const read = (inbox: InboxQuery) =>
        share(`${scope} ${JSON.stringify(inbox)}`, () => listUserChannels(db, userId, inbox));
      const chosen = { unread, hidden, archived, pinned };
      if (channelIds !== undefined) requireAlone("channel_ids", { ...query, ...chosen });
      const named = channelIds && [...new Set(channelIds)].join();
      const flags = {
        unread: unread?.toString(),
        hidden: hidden?.toString(),
        archived: archived?.toString(),
        pinned: pinned?.toString(),
        members: hasMembers?.toString(),
      };
      const sent = { ...query, ...flags, channel_ids: named };
      const pageQuery = openPageQuery<Filters>(cursors, scope, sent, limits.channelPage, acting);
      const { limit, filters, after = newest } = pageQuery;
      const ids = filters.channel_ids?.split(",");
      const found = await read({
        ...(ids && { channelIds: ids }),
        filter: choices.find((name) => filters[name] === "true") ?? "inbox",
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
      const unread = await share(`users.unread ${userId}`, () => countUserUnread(db, userId));
      const body = {
        unread_count: unread.unreadCount,
        channel_count: unread.channelCount,
        quiet_unread_count: unread.quietUnreadCount,
      };
      return { status: 200, body };
    },
  });
};

const choices = ["unread", "hidden", "archived", "pinned"] as const satisfies readonly InboxFilter[];

type Filters = Partial<Record<(typeof choices)[number] | "members" | "channel_ids", string | undefined>>;

/** The operation of `channels.members` that returns an entry of the inbox. */
export const preferencesHandlers = ({ db: database, now, attachments }: ChatDeps) =>
  defineHandlers(contract.channels.members, {
    setPreferences: async ({ params, body, acting, writer, req, db }) => {
      const { channel_id: channelId, user_id: userId } = params;
      const { notify, quiet_until: quietUntil, hidden, archived, pinned } = body;
      const change = { notify, quietUntil, hidden, archived, pinned };
      await setPreferences(database, writer, { channelId, userId }, change, now());
      const query = {
        channelIds: [channelId],
        filter: "inbox",
        hasMembers: false,
        before: newest,
        count: 1,
      } as const;
      const { channels } = await listUserChannels(db, userId, query);
      const [channel] = channels;
      // The user left after the change.
      if (channel === undefined) throw notAParticipant(userId, channelId);
      return { status: 200, body: presentUserChannel(acting, channel, attachments.addressesFor(req)) };
    },
  });
