import { createHash } from "node:crypto";
import type { ImportedMessage } from "@madang/client";
import type { Row } from "../data/tables";

/** A message of a file, and who sent it. */
export interface MessageToImport {
  readonly channelId: string;
  readonly message: ImportedMessage;
  /** What the file knows of the sender, for one who does not exist yet. */
  readonly sender: Row;
}

/**
 * The message of a row. Its `external_id` is that of the row, or its `message_id`. A row without both gets one made of its
 * content, so that it too is imported once.
 */
export function readMessage(row: Row, channelOfFile: string | undefined): MessageToImport {
  const sender: Row = Object(row.user);
  const userId = String(sender.user_id ?? row.user_id ?? "");
  const { content, file, meta, created_at } = row;
  const channelId = String(channelOfFile ?? row.channel_id ?? "");
  const body = file === undefined ? { type: "text", content } : { type: "file", file };
  const hasMeta = meta !== undefined && Object.keys(Object(meta)).length > 0;
  const message = {
    external_id: String(row.external_id ?? row.message_id ?? makeId([channelId, userId, created_at, body])),
    user_id: userId,
    ...body,
    ...(hasMeta && { meta }),
    created_at,
  };
  // A row is checked before it is sent, and by the server.
  return { channelId, message: message as ImportedMessage, sender: { ...sender, user_id: userId } };
}

function makeId(parts: readonly unknown[]): string {
  return `sha256-${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 48)}`;
}
