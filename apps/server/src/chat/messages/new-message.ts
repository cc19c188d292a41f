import type { MessagePart } from "@madang/contract";
import { oldest, type Position } from "../../paging/position";
import type { AddToMessage, CheckedText } from "../checks";
import { findPosition } from "../message-id";
import type { FileReference, MessageExtras, MessageRow, SenderRow } from "./store";

export interface NewMessage {
  readonly channelId: string;
  /** The id that the application gave it. */
  readonly externalId: string | null;
  /** Null in a system message. */
  readonly senderId: string | null;
  /** Null in a file message; `file` is null in all others. */
  readonly content: CheckedText | null;
  readonly file: FileReference | null;
  /** JSON. Null if there are none. */
  readonly parts: string | null;
  /** Whether it is written by appends, of which `content` is the beginning. */
  readonly isStreaming: boolean;
  readonly meta: Record<string, string>;
  /** The id of the message to which this one replies. */
  readonly replyTo: string | null;
  /** The ids of the mentioned users, without duplicates. Null if there are none. */
  readonly mentions: readonly string[] | null;
  /** The ids of its files, without duplicates. Null if there are none. */
  readonly fileIds: readonly string[] | null;
  /** Whether a check has replaced a part of what the request has. */
  readonly isReplaced: boolean;
  /** Stored with it, in its transaction. */
  readonly addToMessage: AddToMessage | undefined;
}

/** An invalid message id becomes the oldest position, which no message has. */
export const findParent = (replyTo: string | null): Position | undefined =>
  replyTo === null ? undefined : (findPosition(replyTo) ?? oldest);

/** The sender of a stored message, and its assigned key and time. */
export type AssignedMessage = SenderRow &
  Pick<MessageRow, "messagePk" | "sentAt"> & {
    /** Whether a check had replaced a part of what the first request with the key has. */
    readonly isReplaced: boolean;
  };

/** The message as it was sent. If a check had replaced a part of it, the row of an earlier request has to be read. */
export type SentMessage = MessageRow & Pick<AssignedMessage, "isReplaced">;

export function toRow(message: NewMessage, sent: AssignedMessage): SentMessage {
  const { externalId, content, file, meta: messageMeta } = message;
  const extras = extrasOf(message);
  return { ...sent, changedAt: sent.sentAt, content, file, messageMeta, externalId, extras };
}

function extrasOf({ replyTo, mentions, parts, isStreaming }: NewMessage): MessageExtras | null {
  if (replyTo === null && mentions === null && parts === null && !isStreaming) return null;
  const parent = findParent(replyTo);
  return {
    editedAt: null,
    replyToCreatedAt: parent?.createdAt ?? null,
    replyToPk: parent?.pk ?? null,
    replyCount: 0,
    mentions,
    reactions: null,
    pinnedAt: null,
    parts,
    attachments: null,
    state: isStreaming ? "streaming" : null,
    appendCount: isStreaming ? 0 : null,
  };
}

/** Whether one statement stores the message, with others in a batch. */
export const isOneStatement = ({ fileIds, isStreaming, addToMessage }: NewMessage): boolean =>
  fileIds === null && !isStreaming && addToMessage === undefined;

/** Parts as they are stored. */
export const encodeParts = (parts: readonly MessagePart[] | undefined): string | null =>
  parts === undefined || parts.length === 0 ? null : JSON.stringify(parts);
