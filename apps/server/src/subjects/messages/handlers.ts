import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { localsOf } from "../../http/caller";
import { once } from "../../idempotency/once";
import { invalidCursor } from "../../paging/cursor";
import { openPageQuery, type PageQuery, sealNextPage } from "../../paging/page-query";
import { newest, oldest, type Position } from "../../paging/position";
import type { Deps } from "../deps";
import { batchMessages } from "./batch";
import { deleteMessage, requireMessage, updateMessage } from "./edit";
import { readWindow, type Sides } from "./list";
import { requirePosition } from "./message-id";
import { presentMessageRow } from "./present";

export const messageHandlers = ({ db, now, cursors }: Deps) => {
  const send = batchMessages(db, now);
  return initServer().router(contract.messages, {
    // Always read from the primary, so that edits and deletions are visible immediately.
    list: async ({ params: { channel_id: channelId }, query }) => {
      const scope = `messages.list ${channelId}`;
      const pageQuery = openPageQuery<Filters>(cursors, scope, query, limits.messagePage.default);
      const { boundary, sides } = planPage(channelId, pageQuery);
      // One additional older message shows whether there is another page.
      const found = await readWindow(db, channelId, boundary, { ...sides, older: sides.older + 1 });
      const channel = String(found.channelPk);
      // A cursor belongs to a channel, not to a channel id, which another channel may have now.
      if (pageQuery.after !== undefined && pageQuery.filters.channel !== channel) throw invalidCursor();
      const messages = [...found.newer, ...found.older.slice(0, sides.older)];
      const seal = (direction: "older" | "newer", after: Position) =>
        sealNextPage(
          cursors,
          scope,
          { ...pageQuery, filters: { ...pageQuery.filters, channel, direction } },
          after,
        );
      const [first, last] = [messages[0], messages.at(-1)];
      const beforeLast = last ? { createdAt: last.sentAt, pk: last.messagePk - 1 } : boundary;
      const afterFirst = first ? { createdAt: first.sentAt, pk: first.messagePk } : boundary;
      return {
        status: 200,
        body: {
          messages: messages.map((message) => presentMessageRow(channelId, message)),
          ...(found.older.length > sides.older && { next: seal("older", beforeLast) }),
          newer: seal("newer", afterFirst === newest ? oldest : afterFirst),
        },
      };
    },
    get: async ({ params: { channel_id: channelId, message_id: messageId } }) => ({
      status: 200,
      body: presentMessageRow(channelId, await requireMessage(db, { channelId, messageId })),
    }),
    send: async ({ params: { channel_id: channelId }, body, res }) => {
      const message = {
        channelId,
        senderId: body.user_id,
        content: body.type === "text" ? body.content : null,
        file: body.type === "file" ? body.file : null,
        meta: body.meta ?? {},
      };
      return { status: 201, body: presentMessageRow(channelId, await send(message, localsOf(res).claim)) };
    },
    update: async ({ params: { channel_id: channelId, message_id: messageId }, body, res }) => {
      const name = { channelId, messageId };
      await updateMessage(once(db, res), name, { content: body.content, meta: body.meta }, now());
      // Read separately: results under an idempotency key must not contain messages, because deletions do not remove
      // them.
      return { status: 200, body: presentMessageRow(channelId, await requireMessage(db, name)) };
    },
    delete: async ({ params: { channel_id: channelId, message_id: messageId }, res }) => {
      await deleteMessage(once(db, res), { channelId, messageId });
      return { status: 200, body: undefined };
    },
  });
};

/** `channel` and `direction` exist only in cursors. */
type Filters = Partial<Record<"before" | "after" | "around" | "channel" | "direction", string | undefined>>;

/** Where to read, and how many messages on each side. The position of a cursor is a boundary too. */
function planPage(
  channelId: string,
  { filters, limit, after: position }: PageQuery<Filters>,
): { boundary: Position; sides: Sides } {
  const older = { newer: 0, older: limit };
  const newer = { newer: limit, older: 0 };
  if (position !== undefined)
    return { boundary: position, sides: filters.direction === "newer" ? newer : older };
  const { before, after, around } = filters;
  if (before !== undefined) {
    const { createdAt, pk } = requirePosition(channelId, before);
    return { boundary: { createdAt, pk: pk - 1 }, sides: older };
  }
  if (after !== undefined) return { boundary: requirePosition(channelId, after), sides: newer };
  if (around === undefined) return { boundary: newest, sides: older };
  const half = Math.floor(limit / 2);
  return { boundary: requirePosition(channelId, around), sides: { newer: half, older: limit - half } };
}
