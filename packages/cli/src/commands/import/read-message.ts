import { hash } from "node:crypto";
import type { ImportedMessage } from "@madang/client";
import type { Row } from "../../data/tables/column";
import { isImportedType, takeBack } from "./take-back";

/** A message of a file, and who sent it. */
export interface MessageToImport {
  readonly channelId: string;
  readonly message: ImportedMessage;
  /** The fields of the row that an import does not have. */
  readonly leftOut: readonly string[];
  /** What an exported message has that an import cannot have: it is left out as a whole. */
  readonly obstacle?: string;
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
  const { message_id, channel_id, user, ...sent } = row;
  const sender: Row = Object(user);
  const { external_id = message_id, user_id = sender.user_id, content, file, created_at } = sent;
  const { type = file === undefined ? "text" : "file", meta, attachments } = sent;
  const channelId = String(channelOfFile ?? channel_id ?? "");
  const body = [channelId, user_id, created_at, file === undefined ? { type, content } : { type, file }];
  const { taken, leftOut } = takeBack("messages", {
    ...sent,
    external_id: external_id ?? makeId(body),
    user_id,
    type,
    meta: Object.keys(Object(meta)).length > 0 ? meta : undefined,
    attachments: Array.isArray(attachments)
      ? attachments.map((file) => ({ file_id: Object(file).file_id }))
      : attachments,
  });
  // The service has accepted what has a `message_id`: it is no mistake in the file.
  const obstacle = message_id === undefined ? undefined : findObstacle(String(type), taken);
  return {
    channelId,
    // A row is checked before it is sent, and by the server.
    message: taken as unknown as ImportedMessage,
    leftOut,
    ...(obstacle !== undefined && { obstacle }),
    sender: { ...sender, user_id },
    isIdMade: external_id === undefined,
  };
}

function findObstacle(type: string, { content, parts, attachments }: Row): string | undefined {
  if (!isImportedType(type)) return `the type ${JSON.stringify(type)}`;
  const isEmpty = !content && isEmptyList(parts) && isEmptyList(attachments);
  // A streamed message that ended before its first word.
  return isEmpty && type !== "file" ? "no text, parts or files" : undefined;
}

/** The text of a message of files alone whose bytes the folder does not have: their names. */
export function nameFiles(
  { content, parts }: { readonly content?: unknown; readonly parts?: unknown },
  files: readonly { readonly name: string }[],
): { readonly content?: string } {
  return content || !isEmptyList(parts) ? {} : { content: files.map(({ name }) => name).join(", ") };
}

const isEmptyList = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

const makeId = (parts: readonly unknown[]): string =>
  `sha256-${hash("sha256", JSON.stringify(parts)).slice(0, 48)}`;
