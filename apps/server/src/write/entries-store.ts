import type { Queryable, Statement } from "../db/db";

/** The result columns of a change that name its channel and message. Only the statement of the change knows them. */
export interface AuditSubject {
  readonly channelId?: string;
  readonly messageCreatedAt?: string;
  readonly messagePk?: string;
}

/** The same for a change that the first row of the result describes, and whose request does not name its user. */
export interface SubjectOfRow extends AuditSubject {
  /** The column with the key of the user. Null in a row without one. */
  readonly userPk?: string;
}

/** A change whose request does not name the user that it is about. */
export interface ChangeOfSender<Row> extends Statement<Row> {
  readonly subject: { readonly userPk: keyof Row & string };
}

/** The values of these columns, as `selectSubject` takes them. */
export function readSubject(
  { userPk, channelId, messageCreatedAt, messagePk }: SubjectOfRow,
  row: unknown,
): readonly unknown[] {
  const read = (name: string | undefined): unknown =>
    name === undefined ? null : (Object(row)[name] ?? null);
  return [userPk, channelId, messageCreatedAt, messagePk].map(read);
}

export const entryColumns = "entry, channel_id, message_created_at, message_pk";

/** The columns of an entry from parameters: the entry, and the values of `readSubject` from this number on. */
export const selectSubject = (entry: string, first: number): string => `(${entry}::jsonb || CASE
    WHEN $${first}::bigint IS NULL THEN '{}'
    ELSE jsonb_build_object('user_id', (SELECT user_id FROM {users} WHERE pk = $${first}::bigint)) END)::json,
  $${first + 1}::text, $${first + 2}::bigint, $${first + 3}::bigint`;

/** Queues entries without a change, such as those of reads. */
export async function addEntries(db: Pick<Queryable, "query">, entries: readonly string[]): Promise<void> {
  await db.query(insertMany, [entries]);
}

const insertMany: Statement<unknown> = {
  name: "audit.write-many",
  text: "INSERT INTO {queued_audit_entries} (entry) SELECT unnest($1::text[])::json RETURNING 1",
};

/**
 * SQL that queues the entries of changed rows, as a part of the statement that changes them. `entry` is null for requests that
 * are not recorded.
 */
export const insertEntries = (rows: string, subject: AuditSubject): string =>
  `INSERT INTO {queued_audit_entries} (${entryColumns})
      SELECT entry::json, ${subjectColumns(subject)} FROM ${rows} WHERE entry IS NOT NULL`;

function subjectColumns({ channelId, messageCreatedAt, messagePk }: AuditSubject): string {
  const column = (name: string | undefined, type: string) =>
    name === undefined ? `NULL::${type}` : `"${name}"`;
  return [column(channelId, "text"), column(messageCreatedAt, "bigint"), column(messagePk, "bigint")].join(
    ", ",
  );
}
