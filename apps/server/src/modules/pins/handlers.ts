import { contract } from "@madang/contract";
import type { ChatDeps } from "../../chat/deps";
import { findOwnReactions } from "../../chat/messages/own-reactions-store";
import { presentMessageRow } from "../../chat/messages/present";
import { defineHandlers } from "../../write/handlers";
import { listPins, pinMessage, unpinMessage } from "./store";

export const pinHandlers = ({ db, now }: ChatDeps) => ({
  channels: defineHandlers(contract.channels, {
    pins: async ({ params: { channel_id: channelId }, query }) => {
      const messages = await listPins(db, channelId);
      const isOwn = await findOwnReactions(db, channelId, query.as_user, messages);
      return {
        status: 200,
        body: { messages: messages.map((message) => presentMessageRow(channelId, message, isOwn)) },
      };
    },
  }),
  messages: defineHandlers(contract.messages, {
    pin: async ({ params: { channel_id: channelId, message_id: messageId }, writer }) => {
      await pinMessage(writer, { channelId, messageId }, now());
      return { status: 200, body: undefined };
    },
    unpin: async ({ params: { channel_id: channelId, message_id: messageId }, writer }) => {
      await unpinMessage(writer, { channelId, messageId });
      return { status: 200, body: undefined };
    },
  }),
});
