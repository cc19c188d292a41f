import { mergePages } from "../../db/db";
import type { Statement } from "../../db/statement";
import { type NamedPosition, namesAscending } from "../../paging/position";
import { plainCharacters } from "./match";

export interface WalkedName extends NamedPosition {
  readonly isLast: boolean;
}

/**
 * Reads the next $4 names after the position $1 to $3, from the index alone. Returns those that may match, because they contain the
 * part $5 or PostgreSQL cannot fold them, and the last one.
 */
export const defineWalk = (name: string, table: string): Statement<WalkedName> => ({
  name,
  text: `SELECT name, created_at AS "createdAt", pk, number = $4 AS "isLast" FROM (
      SELECT name, created_at, pk, row_number() OVER (ORDER BY name COLLATE "C", created_at, pk) AS number FROM ${table}
      WHERE deleted_at IS NULL AND (name COLLATE "C", created_at, pk) > ($1, $2::bigint, $3::bigint)
      ORDER BY name COLLATE "C", created_at, pk LIMIT $4) AS walked
    WHERE number = $4 OR strpos(lower(name COLLATE "C"), $5) > 0 OR name COLLATE "C" !~ '^[${plainCharacters}]*$'
    ORDER BY name COLLATE "C", created_at, pk`,
});

/** The names that several schemas have read. They are complete up to the first of their last ones. */
export function mergeWalks(pages: readonly WalkedName[][]): WalkedName[] {
  const merged = mergePages(pages, namesAscending, Number.POSITIVE_INFINITY);
  const last = merged.findIndex(({ isLast }) => isLast);
  return last < 0 ? merged : merged.slice(0, last + 1);
}
