import type { Queryable, Statement } from "../db/db";

/** Names in the row of a change that only its statement knows: the channel, and the message that was sent. */
export interface AuditSubject {
  readonly channelId?: string;
  readonly messageCreatedAt?: string;
  readonly messagePk?: string;
}

/** Values of a subject, from a row of the change. */
export type SubjectValues = readonly [channelId: unknown, messageCreatedAt: unknown, messagePk: unknown];

export const noSubject: SubjectValues = [null, null, null];

export function readSubject(
  { channelId, messageCreatedAt, messagePk }: AuditSubject,
  row: unknown,
): SubjectValues {
  const read = (name: string | undefined): unknown =>
    name === undefined ? null : (Object(row)[name] ?? null);
  return [read(channelId), read(messageCreatedAt), read(messagePk)];
}

const columns = "entry, channel_id, message_created_at, message_pk";

/** Writes an entry. In the transaction of a change, the entry exists if and only if the change was committed. */
export async function writeEntry(
  db: Pick<Queryable, "query">,
  entry: string,
  subject: SubjectValues = noSubject,
): Promise<void> {
  await db.query(insert, [entry, ...subject]);
}

const insert: Statement<unknown> = {
  name: "audit.write",
  text: `INSERT INTO {queued_audit_entries} (${columns}) VALUES ($1::json, $2::text, $3::bigint, $4::bigint)`,
};

/** Writes entries that belong to no change, such as those of reads. */
export async function writeEntries(db: Pick<Queryable, "query">, entries: readonly string[]): Promise<void> {
  await db.query(insertMany, [entries]);
}

const insertMany: Statement<unknown> = {
  name: "audit.write-many",
  text: "INSERT INTO {queued_audit_entries} (entry) SELECT unnest($1::text[])::json",
};

/** The same for a batch, whose rows have their entries in the column `entry`; those that are not recorded have none. */
export const writeEntriesOf = (rows: string, subject: AuditSubject): string =>
  `INSERT INTO {queued_audit_entries} (${columns}) SELECT entry::json, ${subjectColumns(subject)} FROM ${rows} WHERE entry IS NOT NULL`;

/** A statement that writes the entry of a change, for use in the statement that makes it. `effect` has the changed rows. */
export const writeEntryOf = (effect: string, entry: string, subject: AuditSubject): string =>
  `INSERT INTO {queued_audit_entries} (${columns}) SELECT ${entry}::json, ${subjectColumns(subject)} FROM ${effect} LIMIT 1`;

function subjectColumns({ channelId, messageCreatedAt, messagePk }: AuditSubject): string {
  const column = (name: string | undefined, type: string) =>
    name === undefined ? `NULL::${type}` : `"${name}"`;
  return [column(channelId, "text"), column(messageCreatedAt, "bigint"), column(messagePk, "bigint")].join(
    ", ",
  );
}
