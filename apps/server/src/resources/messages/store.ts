import { type UserRow, userColumns } from "../users/store";

export interface FileReference {
  readonly type: string;
  readonly name: string;
  readonly url: string;
  readonly size: number;
}

/** A message without its sender. Its names differ from those of the sender's columns. */
export interface StoredMessage {
  readonly messagePk: number;
  readonly sentAt: number;
  readonly editedAt: number;
  readonly content: string | null;
  readonly file: FileReference | null;
  readonly messageMeta: Record<string, string>;
  /** Null in a message that was not imported, or without an id. */
  readonly externalId: string | null;
}

/** A message and its sender. */
export interface MessageRow extends StoredMessage, UserRow {}

const messageColumns = `pk AS "messagePk", created_at AS "sentAt", updated_at AS "editedAt", sender_pk AS "senderPk",
  content, file, meta AS "messageMeta", external_id AS "externalId"`;

/**
 * Rows of `messages` with their senders, including deleted ones with their last values. `from` is the FROM clause.
 * OFFSET makes PostgreSQL look up each sender: for an unknown page size, it would otherwise join all users.
 */
export const selectMessages = (
  from: string,
): string => `SELECT * FROM (SELECT ${messageColumns} FROM ${from}) message
  CROSS JOIN LATERAL (SELECT ${userColumns} FROM {users} WHERE pk = "senderPk" OFFSET 0) sender`;
