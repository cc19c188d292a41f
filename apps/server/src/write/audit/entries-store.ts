import type { Statement } from "../../db/db";

/** The result columns of a change that say what it is about. Only the statement of the change knows them. */
export interface AuditSubject {
  /** The key of the user. Null in a row without one. */
  readonly userPk?: string;
  readonly channelId?: string;
  readonly messageCreatedAt?: string;
  readonly messagePk?: string;
}

/** The same for a change that the first row of the result describes, and whose request does not name everything that it is about. */
export interface SubjectOfRow extends AuditSubject {
  /** The column with what else the change concerns, such as the id of a new webhook. */
  readonly subject?: string;
}

/** The fields of an entry as JSON, with their types. */
const fields = {
  operation: "text",
  method: "text",
  status: "integer",
  code: "text",
  kind: "text",
  key_id: "text",
  actor: "text",
  reason: "text",
  address: "text",
  user_id: "text",
  channel_id: "text",
  message_id: "text",
  subject: "text",
  acting_user_id: "text",
};

/** SQL that adds the entries of `rows`, in its column `entry`: null for a request that is not recorded. */
function insert(rows: string, known: Partial<Record<keyof typeof fields, string>>): string {
  const columns = Object.keys(fields);
  const values = columns.map((column) => {
    const value = Object.entries(known).find(([name]) => name === column)?.[1];
    return value === undefined ? `given.${column}` : `COALESCE(${value}, given.${column})`;
  });
  const types = Object.entries(fields).map(([column, type]) => `${column} ${type}`);
  return `INSERT INTO audit_entries (${columns.join(", ")}) SELECT ${values.join(", ")}
      FROM ${rows} CROSS JOIN LATERAL json_to_record(entry::json) AS given (${types.join(", ")}) WHERE entry IS NOT NULL`;
}

const idOfUser = (pk: string) => `(SELECT user_id FROM users WHERE pk = ${pk})`;

/** SQL that adds the entries of changed rows, as a part of the statement that changes them. */
export const insertEntries = (
  rows: string,
  { userPk, channelId, messageCreatedAt, messagePk }: AuditSubject,
): string =>
  insert(rows, {
    ...(userPk !== undefined && { user_id: idOfUser(`"${userPk}"`) }),
    ...(channelId !== undefined && { channel_id: `"${channelId}"` }),
    ...(messagePk !== undefined && { message_id: `"${messageCreatedAt}" || '-' || "${messagePk}"` }),
  });

/** The same for a request in the parameter `entry`, with the values of `readSubject` from the parameter `first` on. */
export const insertEntry = (entry: string, first: number): string =>
  insert(`(SELECT ${entry}::text AS entry) AS request`, {
    user_id: idOfUser(`$${first}::bigint`),
    channel_id: `$${first + 1}::text`,
    message_id: `$${first + 2}::bigint || '-' || $${first + 3}::bigint`,
    subject: `$${first + 4}::text`,
  });

/** What the first row of a result says about its change. */
export function readSubject(
  { userPk, channelId, messageCreatedAt, messagePk, subject }: SubjectOfRow,
  row: unknown,
): readonly unknown[] {
  const read = (name: string | undefined): unknown =>
    name === undefined ? null : (Object(row)[name] ?? null);
  return [userPk, channelId, messageCreatedAt, messagePk, subject].map(read);
}

/** Adds entries without a change, such as those of reads. */
export const addEntries: Statement<unknown> = {
  name: "write.add-entries",
  text: `${insert("unnest($1::text[]) AS request (entry)", {})} RETURNING 1`,
};
