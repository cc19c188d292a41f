import { type Db, mergePages, type Statement } from "../../db/db";
import {
  endOfPrefix,
  type NamedPosition,
  namesAscending,
  type Position,
  positionsDescending,
} from "../../paging/position";
import { plainCharacters } from "./fold";

/** The lists of users or channels, which have a name. */
export interface NamedLists<Row> {
  /** Those older than the position, newest first. */
  list(before: Position, count: number): Promise<(Row & Position)[]>;
  /** Those whose name begins with the prefix, by name, then oldest first. */
  listByPrefix(
    prefix: string,
    after: NamedPosition | undefined,
    count: number,
  ): Promise<(Row & NamedPosition)[]>;
  /** Reads the next names after a position, and returns those that may match, and the last one if it has read `count`. */
  walk(after: NamedPosition, count: number, part: string): Promise<WalkedName[]>;
  /** In any order. */
  findByKeys(pks: readonly number[]): Promise<WithKey<Row>[]>;
}

export interface WalkedName extends NamedPosition {
  readonly isLast: boolean;
}

type WithKey<Row> = Row & { readonly pk: number; readonly name: string; readonly isDeleted: boolean };

/** `schemasOf` are those with rows of the table. `columns` are a select list. */
export function defineNamedLists<Row>(
  table: "users" | "channels",
  columns: string,
  schemasOf: (db: Db) => readonly Db[],
): (db: Db) => NamedLists<Row> {
  const list: Statement<Row & Position> = {
    name: `${table}.list`,
    text: selectPage(table, columns, "$1::bigint, $2::bigint", "$3"),
  };

  // `COLLATE "C"` compares code points, as the index does. No index has the order of a prefix and of creation.
  const listByPrefix: Statement<Row & NamedPosition> = {
    name: `${table}.list-by-prefix`,
    text: `SELECT pk, ${columns} FROM ${table}
      WHERE deleted_at IS NULL AND (name COLLATE "C", created_at, pk) > ($1, $2::bigint, $3::bigint)
        AND name COLLATE "C" < $4
      ORDER BY name COLLATE "C", created_at, pk LIMIT $5`,
  };

  // Reads the next $4 names after the position $1 to $3, from the index alone. Returns those that may match, because they contain the
  // part $5 or PostgreSQL cannot fold them, and the last one.
  const walk: Statement<WalkedName> = {
    name: `${table}.walk-names`,
    text: `SELECT name, created_at AS "createdAt", pk, number = $4 AS "isLast" FROM (
        SELECT name, created_at, pk, row_number() OVER (ORDER BY name COLLATE "C", created_at, pk) AS number FROM ${table}
        WHERE deleted_at IS NULL AND (name COLLATE "C", created_at, pk) > ($1, $2::bigint, $3::bigint)
        ORDER BY name COLLATE "C", created_at, pk LIMIT $4) AS walked
      WHERE number = $4 OR strpos(lower(name COLLATE "C"), $5) > 0 OR name COLLATE "C" !~ '^[${plainCharacters}]*$'
      ORDER BY name COLLATE "C", created_at, pk`,
  };

  // Not limited to rows that are not deleted: for those, PostgreSQL would read a whole index that has the key in its last column.
  const findByKeys: Statement<WithKey<Row>> = {
    name: `${table}.find-by-keys`,
    text: `SELECT pk, deleted_at IS NOT NULL AS "isDeleted", ${columns} FROM ${table} WHERE pk = ANY ($1::bigint[])`,
  };

  return (db) => {
    const read = <Found>(statement: Statement<Found>, values: readonly unknown[]) =>
      Promise.all(schemasOf(db).map((schema) => schema.query(statement, values)));
    return {
      list: async ({ createdAt, pk }, count) =>
        mergePages(await read(list, [createdAt, pk, count]), positionsDescending, count),
      async listByPrefix(prefix, after = { name: prefix, createdAt: 0, pk: 0 }, count) {
        const values = [after.name, after.createdAt, after.pk, endOfPrefix(prefix), count];
        return mergePages(await read(listByPrefix, values), namesAscending, count);
      },
      walk: async ({ name, createdAt, pk }, count, part) =>
        mergeWalks(await read(walk, [name, createdAt, pk, count, part])),
      findByKeys: async (pks) => (await read(findByKeys, [pks])).flat(),
    };
  };
}

/** The rows older than a position, newest first. The arguments are SQL. */
export const selectPage = (
  table: string,
  columns: string,
  before: string,
  limit: string,
  condition = "true",
) => `SELECT pk, ${columns} FROM ${table}
  WHERE deleted_at IS NULL AND (created_at, pk) < (${before}) AND ${condition}
  ORDER BY created_at DESC, pk DESC LIMIT ${limit}`;

/** The names that several databases have read. They are complete up to the first of their last ones. */
function mergeWalks(pages: readonly WalkedName[][]): WalkedName[] {
  const merged = mergePages(pages, namesAscending, Number.POSITIVE_INFINITY);
  const last = merged.findIndex(({ isLast }) => isLast);
  return last < 0 ? merged : merged.slice(0, last + 1);
}
