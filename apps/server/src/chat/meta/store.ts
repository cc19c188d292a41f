import { limits } from "@madang/contract";
import type { Reader, Statement } from "../../db/db";
import { nameList, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { type Command, defineCommand, isFirst } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";

/** The statements that change the metadata of a user or a channel. */
export interface MetaStatements<Row> {
  /** How errors name it. */
  readonly noun: string;
  readonly merge: Command<Row>;
  readonly remove: Command<Row>;
  readonly countMerged: Statement<{ pairs: number }>;
  rejectUnknown(id: string): never;
  requirePk(db: Reader, id: string): Promise<number>;
}

interface Target<Row> {
  readonly noun: "user" | "channel";
  readonly table: string;
  readonly idColumn: string;
  readonly fields: readonly (keyof Row & string)[];
  /** For the events of a row with the key and the columns of the target. */
  readonly about: Parameters<typeof emit>[1];
  rejectUnknown(id: string): never;
  requirePk(db: Reader, id: string): Promise<number>;
}

export function defineMetaStatements<Row>(target: Target<Row>): MetaStatements<Row> {
  const { noun, table, idColumn, fields, about, rejectUnknown, requirePk } = target;
  const isLive = `${idColumn} = $1 AND deleted_at IS NULL`;
  // One row, unless the change is not allowed, or another request made or undid the same change since the snapshot: then it runs again.
  const change = (name: string, valueCount: number, condition: string, meta: string, isChange: string) =>
    defineCommand<Row>(
      name,
      valueCount,
      `updated AS (
      UPDATE ${table} SET meta = ${meta}, updated_at = GREATEST($3, updated_at + 1)
      WHERE ${isLive} AND ${isChange} AND ${condition} AND ${isFirst} RETURNING pk, ${selectList(fields)}
    ), emitted AS (${emit(`${noun}.updated`, about, "updated")}),
    effect AS (
      SELECT ${nameList("updated", fields)} FROM updated
      UNION ALL SELECT ${selectList(fields)} FROM ${table} WHERE ${isLive} AND NOT ${isChange} AND ${isFirst}
    )`,
    );
  return {
    noun,
    merge: change(
      `${noun}s.merge-meta`,
      4,
      "meta_pair_count(meta || $2::jsonb) <= $4",
      "meta || $2::jsonb",
      "(NOT meta @> $2::jsonb)",
    ),
    remove: change(`${noun}s.delete-meta`, 3, "true", "meta - $2::text[]", "(meta ?| $2::text[])"),
    countMerged: {
      name: `${noun}s.count-merged-meta`,
      text: `SELECT meta_pair_count(meta || $2::jsonb) AS pairs FROM ${table} WHERE ${isLive}`,
    },
    rejectUnknown,
    requirePk,
  };
}

/**
 * Merges pairs into the metadata, all or none. One statement reads, checks and writes the row. After a concurrent merge,
 * PostgreSQL checks the new row again, so no pair is lost and the limit holds.
 */
export async function mergeMeta<Row>(
  writer: Writer,
  statements: MetaStatements<Row>,
  { id, pairs, now }: { id: string; pairs: Record<string, string>; now: number },
): Promise<Row> {
  return writeOrExplain(
    () => writer.write(statements.merge, [id, pairs, now, limits.meta.maxPairs]),
    () => explainRejection(writer.reader, statements, id, pairs),
  );
}

async function explainRejection<Row>(
  db: Reader,
  { noun, countMerged, rejectUnknown }: MetaStatements<Row>,
  id: string,
  pairs: Record<string, string>,
): Promise<undefined> {
  const [merged] = await db.query(countMerged, [id, pairs]);
  if (merged === undefined) return rejectUnknown(id);
  if (merged.pairs > limits.meta.maxPairs)
    throw new ServiceError(
      "meta_limit_exceeded",
      `The ${noun} ${id} would have more than ${limits.meta.maxPairs} metadata pairs. Delete some keys first.`,
    );
}

/** Deletes keys of the metadata. Absent keys are ignored. */
export async function deleteMeta<Row>(
  writer: Writer,
  { remove, requirePk }: MetaStatements<Row>,
  { id, keys, now }: { id: string; keys: readonly string[]; now: number },
): Promise<Row> {
  return writeOrExplain(
    () => writer.write(remove, [id, keys, now]),
    async () => void (await requirePk(writer.reader, id)),
  );
}
