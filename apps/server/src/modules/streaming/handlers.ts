import { contract } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { exempt } from "../../chat/checks";
import type { ChatDeps } from "../../chat/deps";
import { keyOf, refOf } from "../../chat/message-id";
import { presentMessageRow } from "../../chat/messages/present";
import { requireChanged } from "../../chat/messages/store";
import { appendText, requireAppendable } from "./append-store";
import type { AppendedFeed } from "./appended-feed";
import { readEnd } from "./chunks-store";
import { finishMessage } from "./end-store";

export interface StreamingDeps extends ChatDeps {
  /** What is appended to messages, for the streams of all processes. */
  readonly appended: Pick<AppendedFeed, "announce">;
}

export const streamingHandlers = ({ now, appended, attachments, checks }: StreamingDeps) =>
  defineHandlers(contract.messages, {
    append: async ({ params, body: { index, content }, writer, db }) => {
      const ref = refOf(params);
      const [channelId, createdAt, pk] = keyOf(ref);
      const place = { ...ref, createdAt, pk, index };
      const passed = await checks.pass(
        writer,
        {
          operation: "messages.append",
          channelId,
          async readBefore(characters) {
            const end = await readEnd(db, pk, characters);
            return end !== undefined && end.appendCount >= index ? end.content : null;
          },
          requireAllowed: async () => {
            const allowed = await requireAppendable(writer, { ...place, content: exempt(content) });
            return { senderId: allowed.senderId, isRepeated: allowed.repeated !== undefined };
          },
        },
        { content, parts: undefined, meta: undefined },
      );
      const appendCount = await appendText(writer, { ...place, content: passed.content });
      appended.announce({ channelId, createdAt, pk, index });
      return { status: 200, body: { append_count: appendCount } };
    },
    finish: async ({ params, body, acting, writer, req, db }) => {
      const ref = refOf(params);
      await finishMessage(writer, ref, body, checks, now());
      // Read separately: stored results of idempotency keys must not contain messages.
      const message = await requireChanged(db, ref);
      const urlOf = attachments.addressesFor(req);
      return { status: 200, body: presentMessageRow(ref.channelId, message, { urlOf, viewer: acting }) };
    },
  });
