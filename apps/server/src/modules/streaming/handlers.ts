import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { keyOf, refOf } from "../../chat/message-id";
import { presentMessageRow } from "../../chat/messages/present";
import { requireChanged } from "../../chat/messages/store";
import { appendText } from "./append-store";
import type { AppendedFeed } from "./appended-feed";
import { finishMessage } from "./end-store";

export interface StreamingDeps extends ChatDeps {
  /** What is appended to messages, for the streams of all processes. */
  readonly appended: Pick<AppendedFeed, "announce">;
}

export const streamingHandlers = ({ now, appended, attachments }: StreamingDeps) =>
  defineHandlers(contract.messages, {
    append: async ({ params, body: { index, content }, writer }) => {
      const ref = refOf(params);
      const [channelId, createdAt, pk] = keyOf(ref);
      const appendCount = await appendText(writer, { ...ref, createdAt, pk, index, content });
      appended.announce({ channelId, createdAt, pk, index });
      return { status: 200, body: { append_count: appendCount } };
    },
    finish: async ({ params, body, acting, writer, req, db }) => {
      const ref = refOf(params);
      const { state, content, parts, meta } = body;
      await finishMessage(writer, ref, { state, content, parts, meta }, now());
      // Read separately: stored results of idempotency keys must not contain messages.
      const message = await requireChanged(db, ref);
      const urlOf = attachments.addressesFor(req);
      return { status: 200, body: presentMessageRow(ref.channelId, message, { urlOf, viewer: acting }) };
    },
  });
