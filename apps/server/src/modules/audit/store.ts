import { type Db, everySchema, mergePages, type Statement } from "../../db/db";
import { type Row, selectList } from "../../db/row";
import { defineSweep } from "../../db/sweep-old";
import type { Position } from "../../paging/position";

export type EntryRow = Row<"AuditEntry">;

const fields = [
  "number",
  "at",
  "operation",
  "method",
  "status",
  "code",
  "kind",
  "actingUserId",
  "keyId",
  "actor",
  "reason",
  "address",
  "userId",
  "channelId",
  "messageId",
  "subject",
] as const satisfies readonly (keyof EntryRow)[];

/** Those that usually have the fewest entries come first. */
const filterColumns = ["user_id", "channel_id", "key_id", "operation"] as const;

export type EntryFilters = {
  readonly [Name in (typeof filterColumns)[number]]?: string | undefined;
};

interface EntryQuery {
  readonly filters: EntryFilters;
  readonly from: number;
  readonly before: Position;
  readonly count: number;
}

/**
 * Entries before a position that match all filters, newest first. Those of a user are about it, or of requests that acted as it: two
 * lists, each with its index.
 */
export async function listEntries(db: Db, { filters, from, before, count }: EntryQuery): Promise<EntryRow[]> {
  const columns = filterColumns.filter((column) => filters[column] !== undefined);
  const values = [before.createdAt, before.pk, from, count, ...columns.map((column) => filters[column])];
  const asActing = columns.map((column) => (column === "user_id" ? "acting_user_id" : column));
  const lists = filters.user_id === undefined ? [columns] : [columns, asActing];
  const pages = await Promise.all(
    everySchema(db).flatMap((schema) => lists.map((list) => schema.query(requireStatement(list), values))),
  );
  return mergePages(pages, (one, other) => other.at - one.at || other.number - one.number, count);
}

/** One statement for each set of filters, so that PostgreSQL plans each set separately. */
const statements = new Map<string, Statement<EntryRow>>();

// The first filter is a part of the position: its index has this order, and no other index has it. For a filter with an equals sign,
// PostgreSQL would read all entries by time: it expects many for each of a few keys.
function requireStatement(columns: readonly string[]): Statement<EntryRow> {
  const name = ["audit.list", ...columns].join("-");
  const [first, ...others] = columns;
  const [key, value] = first === undefined ? ["", ""] : [`${first}, `, "$5, "];
  const conditions = [
    `(${key}at, number) < (${value}$1::bigint, $2::bigint)`,
    `(${key}at, number) >= (${value}$3::bigint, 0)`,
    // As in the condition of the index.
    ...(first === undefined ? [] : [`${first} IS NOT NULL`]),
    ...others.map((column, index) => `${column} = $${index + 6}`),
    // Those are in the list of the user.
    ...(first === "acting_user_id" ? ["user_id IS DISTINCT FROM $5"] : []),
  ];
  const statement = statements.get(name) ?? {
    name,
    text: `SELECT ${selectList(fields)} FROM audit_entries WHERE ${conditions.join(" AND ")}
      ORDER BY ${key && `${first} DESC, `}at DESC, number DESC LIMIT $4`,
  };
  statements.set(name, statement);
  return statement;
}

export const sweepExpiredEntries = defineSweep("audit.sweep", "audit_entries", "number", "at");
