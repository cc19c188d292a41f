import { hash } from "node:crypto";
import type { ImportedMessage } from "@madang/client";
import type { Row } from "../data/tables";

/** A message of a file, and who sent it. */
export interface MessageToImport {
  readonly channelId: string;
  readonly message: ImportedMessage;
  /** What the file knows of the sender, for one who does not exist yet. */
  readonly sender: Row;
  /** Whether the row has no id: two rows with the same content have the same one then. */
  readonly isIdMade: boolean;
}

/**
 * The message of a row. Its `external_id` is that of the row, or its `message_id`. A row without both gets one made of its
 * content, so that it too is imported once.
 */
export function readMessage(row: Row, channelOfFile: string | undefined): MessageToImport {
  // What the service adds to an exported message. Fields that are unknown stay, and are rejected.
  const { message_id, channel_id, updated_at, reactions, pinned_at, user, meta, ...added } = row;
  const { edited_at, reply_count, attachments, ...others } = added;
  const { external_id = message_id, ...sent } = others;
  const sender: Row = Object(user);
  const { type = sent.file === undefined ? "text" : "file", user_id = sender.user_id, created_at } = sent;
  const channelId = String(channelOfFile ?? channel_id ?? "");
  const { content, file } = sent;
  const body = [channelId, user_id, created_at, file === undefined ? { type, content } : { type, file }];
  const hasMeta = meta !== undefined && Object.keys(Object(meta)).length > 0;
  const message = {
    ...sent,
    external_id: external_id ?? makeId(body),
    ...(type !== "system" && { user_id }),
    type,
    ...(hasMeta && { meta }),
    ...(Array.isArray(attachments) && {
      attachments: attachments.map((file) => ({ file_id: Object(file).file_id })),
    }),
  };
  return {
    channelId,
    // A row is checked before it is sent, and by the server.
    message: message as ImportedMessage,
    sender: { ...sender, user_id },
    isIdMade: external_id === undefined,
  };
}

const makeId = (parts: readonly unknown[]): string =>
  `sha256-${hash("sha256", JSON.stringify(parts)).slice(0, 48)}`;
