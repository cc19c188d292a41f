import type { Queryable, Statement } from "../db/db";
import type { Row } from "../db/row";

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

/** The values of these columns. */
type SubjectValues = { readonly [Name in keyof SubjectOfRow]-?: unknown };

export function readSubject(
  { userPk, channelId, messageCreatedAt, messagePk }: SubjectOfRow,
  row: unknown,
): SubjectValues {
  const read = (name: string | undefined): unknown =>
    name === undefined ? null : (Object(row)[name] ?? null);
  return {
    userPk: read(userPk),
    channelId: read(channelId),
    messageCreatedAt: read(messageCreatedAt),
    messagePk: read(messagePk),
  };
}

const noSubject = readSubject({}, undefined);

const columns = "entry, channel_id, message_created_at, message_pk";

/** Queues an entry, which a background job adds to the chain. Within the transaction of a change, it exists if and only if the change is committed. */
export async function queueEntry(
  db: Pick<Queryable, "query">,
  entry: string,
  { userPk, channelId, messageCreatedAt, messagePk }: SubjectValues = noSubject,
): Promise<void> {
  const [user] = userPk === null ? [] : await db.query(findUser, [userPk]);
  const named = user === undefined ? entry : JSON.stringify({ ...JSON.parse(entry), user_id: user.userId });
  await db.query(insert, [named, channelId, messageCreatedAt, messagePk]);
}

const findUser: Statement<Row<"User", "userId">> = {
  name: "audit.find-user",
  text: 'SELECT user_id AS "userId" FROM {users} WHERE pk = $1',
};

const insert: Statement<unknown> = {
  name: "audit.write",
  text: `INSERT INTO {queued_audit_entries} (${columns}) VALUES ($1::json, $2::text, $3::bigint, $4::bigint)
    RETURNING 1`,
};

/** Queues entries without a change, such as those of reads. */
export async function queueEntries(db: Pick<Queryable, "query">, entries: readonly string[]): Promise<void> {
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
export const queueEntriesSql = (rows: string, subject: AuditSubject, entry = "entry"): string =>
  `INSERT INTO {queued_audit_entries} (${columns}) SELECT ${entry}::json, ${subjectColumns(subject)} FROM ${rows} WHERE ${entry} IS NOT NULL`;

function subjectColumns({ channelId, messageCreatedAt, messagePk }: AuditSubject): string {
  const column = (name: string | undefined, type: string) =>
    name === undefined ? `NULL::${type}` : `"${name}"`;
  return [column(channelId, "text"), column(messageCreatedAt, "bigint"), column(messagePk, "bigint")].join(
    ", ",
  );
}
