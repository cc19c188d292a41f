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
}

/** A message and its sender. */
export interface MessageRow extends StoredMessage, UserRow {}

const messageColumns = `pk AS "messagePk", created_at AS "sentAt", updated_at AS "editedAt", sender_pk AS "senderPk",
  content, file, meta AS "messageMeta"`;

/**
 * Rows of `messages`, each with its sender; deleted senders too, as they last were. `from` is what follows FROM. OFFSET
 * keeps PostgreSQL from joining all users at once, which it would plan for a page whose size it does not know.
 */
export const selectMessages = (
  from: string,
): string => `SELECT * FROM (SELECT ${messageColumns} FROM ${from}) message
  CROSS JOIN LATERAL (SELECT ${userColumns} FROM users WHERE pk = "senderPk" OFFSET 0) sender`;
