import { contract, erasedUserId } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { exempt } from "../../chat/checks";
import type { ChatDeps } from "../../chat/deps";
import { encodeParts } from "../../chat/messages/new-message";
import { invalidField } from "../../errors/service-error";
import { runInSlices } from "../../turns/in-slices";
import { addErasedUser, type ImportedMessage, importMessages, type MessageWithFiles } from "./store";

export const importHandlers = ({ db: database, now, attachments }: ChatDeps) =>
  defineHandlers(contract.imports, {
    messages: async ({ params: { channel_id: channelId }, body: { messages }, writer }) => {
      rejectFuture(messages, now());
      const batch = {
        channelId,
        userIds: [...new Set(messages.flatMap(listUsers))],
        encodedMessages: await encode(messages),
        withFiles: messages.flatMap(listFiles),
      };
      await attachments.markArrived(batch.withFiles.flatMap(({ fileIds }) => fileIds));
      if (batch.userIds.includes(erasedUserId)) await addErasedUser(database);
      const { imported, skipped } = await importMessages(writer, batch);
      return { status: 200, body: { imported, skipped } };
    },
  });

function rejectFuture(messages: readonly ImportedMessage[], now: number): void {
  const index = messages.findIndex(({ created_at }) => created_at > now);
  if (index !== -1) throw invalidField("body", `messages.${index}.created_at`, "Must not be in the future.");
}

/** The sender of a message, and the users that it mentions. */
const listUsers = ({ user_id, mentions = [] }: ImportedMessage) =>
  user_id === undefined ? mentions : [user_id, ...mentions];

function listFiles({ attachments, user_id }: ImportedMessage, index: number): MessageWithFiles[] {
  if (attachments === undefined) return [];
  return [
    { index, senderId: user_id ?? null, fileIds: [...new Set(attachments.map(({ file_id }) => file_id))] },
  ];
}

/** The messages as a JSON array, made in slices: a whole request may have 8 MB. */
async function encode(messages: readonly ImportedMessage[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  await runInSlices(messages, (message, index) => {
    const { content, mentions, parts } = message;
    const encoded = {
      ...message,
      ...(content !== undefined && { content: exempt(content) }),
      // In a string of a string, as they are stored: PostgreSQL does not accept every string of JSON.
      ...(parts && { parts: encodeParts(parts) }),
      ...(mentions && { mentions: [...new Set(mentions)] }),
    };
    pieces.push(Buffer.from(`${index === 0 ? "[" : ","}${JSON.stringify(encoded)}`));
  });
  return Buffer.concat([...pieces, Buffer.from("]")]);
}
