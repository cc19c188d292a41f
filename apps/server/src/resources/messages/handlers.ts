import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import { once } from "../../idempotency/once";
import { invalidCursor } from "../../paging/cursor";
import { openPageQuery, signNextPage } from "../../paging/page-query";
import type { Position } from "../../paging/position";
import type { Deps } from "../deps";
import { batchMessages } from "./batch";
import { deleteMessage, requireMessage, updateMessage } from "./edit-store";
import { readWindow } from "./list-store";
import { type MessageFilters, planPage, takeMessagePage } from "./page-plan";
import { presentMessageRow } from "./present";

export const messageHandlers = ({ db, now, cursors }: Deps) => {
  const send = batchMessages(db, now);
  return initServer().router(contract.messages, {
    // Always read from the primary, so that edits and deletions are visible immediately.
    list: async ({ params: { channel_id: channelId }, query }) => {
      const scope = `messages.list ${channelId}`;
      const pageQuery = openPageQuery<MessageFilters>(cursors, scope, query, limits.messagePage.default);
      const plan = planPage(channelId, pageQuery);
      const { boundary, sides } = plan;
      // One additional older message shows whether there is another page.
      const found = await readWindow(db, channelId, boundary, { ...sides, older: sides.older + 1 });
      const channel = String(found.channelPk);
      // A cursor belongs to a channel, not to a channel id, which another channel may have now.
      if (pageQuery.after !== undefined && pageQuery.filters.channel !== channel) throw invalidCursor();
      const { messages, older, newer } = takeMessagePage(found, plan);
      const seal = (direction: "older" | "newer", position: Position) => {
        const filters = { ...pageQuery.filters, channel, direction };
        return signNextPage(cursors, scope, { ...pageQuery, filters }, position);
      };
      return {
        status: 200,
        body: {
          messages: messages.map((message) => presentMessageRow(channelId, message)),
          ...(older && { next: seal("older", older) }),
          newer: seal("newer", newer),
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
      return { status: 201, body: presentMessageRow(channelId, await send(once(db, res), message)) };
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
