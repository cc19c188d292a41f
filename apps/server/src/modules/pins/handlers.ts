import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { refOf } from "../../chat/message-id";
import { showMessages } from "../../chat/messages/show";
import { type MessageRow, messageBytes } from "../../chat/messages/store";
import { bindTo, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { listPins, pinMessage, unpinMessage } from "./store";

export const pinHandlers = ({ now, cursors, attachments }: ChatDeps) => ({
  channels: defineHandlers(contract.channels, {
    pins: async ({ params: { channel_id: channelId }, query, acting, req, db }) => {
      const scope = `channels.pins ${channelId}`;
      const pageQuery = openPageQuery<Filters>(cursors, scope, query, pageSize, acting);
      const { filters, after = newest } = pageQuery;
      const { channelPk, messages } = await listPins(db, channelId, after.createdAt, acting);
      const owned = bindTo(pageQuery, "owner", channelPk);
      const positionOf = ({ extras }: MessageRow) => ({ createdAt: extras?.pinnedAt ?? 0, pk: 0 });
      const { items, ...next } = signPage(cursors, scope, owned, messages, positionOf, messageBytes);
      const reading = { channelId, asUser: filters.as_user, acting, req };
      const shown = await showMessages({ db, attachments }, reading, items);
      return { status: 200, body: { messages: shown, ...next } };
    },
  }),
  messages: defineHandlers(contract.messages, {
    pin: async ({ params, writer }) => {
      await pinMessage(writer, refOf(params), now());
      return { status: 200, body: undefined };
    },
    unpin: async ({ params, writer }) => {
      await unpinMessage(writer, refOf(params));
      return { status: 200, body: undefined };
    },
  }),
});

/** A page has all pins, unless they are large. */
const pageSize = { min: 1, max: limits.pinsPerChannel, default: limits.pinsPerChannel };

/** In the cursor. */
type Filters = { readonly as_user?: string | undefined };
