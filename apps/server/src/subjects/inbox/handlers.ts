import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { invalidCursor } from "../../paging/cursor";
import { takePage } from "../../paging/page";
import { openPageQuery, sealNextPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import type { Deps } from "../deps";
import { presentUserChannel } from "./present";
import { countUserUnread, listUserChannels } from "./store";

const { channels, unread } = contract.users;

/** The operations of `users` that show channels and messages. Always read from the database itself. */
export const inboxHandlers = ({ db, cursors }: Deps) =>
  initServer().router(
    { channels, unread },
    {
      channels: async ({ params: { user_id: userId }, query }) => {
        const scope = `users.channels ${userId}`;
        const asked = openPageQuery<Filters>(cursors, scope, query, limits.channelPage.default);
        const { limit, after = newest } = asked;
        const found = await listUserChannels(db, userId, after, limit + 1);
        const user = String(found.userPk);
        // A cursor belongs to one user, not to one user id: the id may have been given again.
        if (asked.after !== undefined && asked.filters.user !== user) throw invalidCursor();
        const entries = found.channels.map((row) => ({ row, createdAt: row.activeAt, pk: row.channelPk }));
        const { items, last } = takePage(entries, limit);
        return {
          status: 200,
          body: {
            channels: items.map(({ row }) => presentUserChannel(row)),
            ...(last && { next: sealNextPage(cursors, scope, { ...asked, filters: { user } }, last) }),
          },
        };
      },
      unread: async ({ params }) => {
        const { unreadCount, channelCount } = await countUserUnread(db, params.user_id);
        return { status: 200, body: { unread_count: unreadCount, channel_count: channelCount } };
      },
    },
  );

/** `user` is in cursors alone. */
type Filters = Partial<Record<"user", string | undefined>>;
