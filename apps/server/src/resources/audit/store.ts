import type { Queryable, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import type { ChainedEntry } from "./chain";
import { entryColumns } from "./chain-store";

const filterColumns = ["key_id", "user_id", "channel_id", "operation"] as const;

/** The filters of the query string. */
export type EntryFilters = {
  readonly [Name in (typeof filterColumns)[number]]?: string | undefined;
};

interface EntryQuery {
  readonly filters: EntryFilters;
  /** Only entries at or after this time. */
  readonly from: number;
  readonly before: Position;
  readonly count: number;
}

/** Entries before a position that match all filters, newest first. */
export function listEntries(
  db: Pick<Queryable, "query">,
  { filters, from, before, count }: EntryQuery,
): Promise<ChainedEntry[]> {
  const columns = filterColumns.filter((column) => filters[column] !== undefined);
  const values = columns.map((column) => filters[column]);
  return db.query(requireStatement(columns), [before.createdAt, before.pk, from, count, ...values]);
}

/** One statement for each set of filters, so that PostgreSQL plans each set separately. */
const statements = new Map<string, Statement<ChainedEntry>>();

function requireStatement(columns: readonly string[]): Statement<ChainedEntry> {
  const name = ["audit.list", ...columns].join("-");
  const conditions = columns.map((column, index) => `AND ${column} = $${index + 5}`);
  const statement = statements.get(name) ?? {
    name,
    text: `SELECT ${entryColumns} FROM audit_entries
      WHERE (at, number) < ($1::bigint, $2::bigint) AND at >= $3 ${conditions.join(" ")}
      ORDER BY at DESC, number DESC LIMIT $4`,
  };
  statements.set(name, statement);
  return statement;
}
