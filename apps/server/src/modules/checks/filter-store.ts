import { limits } from "@madang/contract";
import { type Db, databaseNow, defineLock, type Statement } from "../../db/db";
import { type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { Writer } from "../../write/writer";

/** A filter without its words. */
export type FilterRow = Row<
  "Filter",
  "filterId" | "label" | "pattern" | "channelIds" | "action" | "createdAt" | "updatedAt"
> & { readonly wordCount: number };
/** With what it found in the last days. */
export type FilterWithHits = FilterRow & { readonly hitCount: number };

export interface NewFilter {
  readonly label: string;
  /** Empty in a filter with a pattern. */
  readonly words: readonly string[];
  readonly pattern: string | undefined;
  /** Empty: all channels. */
  readonly channelIds: readonly string[];
  readonly action: string;
}

/** Absent fields keep their values. Words replace a pattern, and a pattern replaces words. */
export type FilterChange = { readonly [Name in keyof NewFilter]?: NewFilter[Name] | undefined };

/** Creates a filter. A lock serializes creations on all processes, so that the limit is exact. */
export async function createFilter(writer: Writer, filter: NewFilter, now: number): Promise<FilterRow> {
  const { label, words, pattern, channelIds, action } = filter;
  const values = [label, words, pattern ?? null, channelIds, action, now, limits.filters];
  const [created] = await writer.writeAll(
    async (tx) => {
      await tx.query(lock);
      return tx.query(insert, values);
    },
    { subject: "filterId" },
  );
  if (created !== undefined) return created;
  throw new ServiceError(
    "filter_limit_exceeded",
    `There are already ${limits.filters} filters, the maximum. Delete one first.`,
  );
}

export const listFilters = (db: Pick<Db, "query">): Promise<FilterWithHits[]> => db.query(list, [null]);

/** With its words. */
export async function requireFilter(
  db: Pick<Db, "query">,
  filterId: string,
): Promise<FilterWithHits & Row<"Filter", "words">> {
  const [found] = await db.query(find, [filterId]);
  return found ?? rejectUnknownFilter(filterId);
}

export async function updateFilter(
  writer: Writer,
  filterId: string,
  { label, words, pattern, channelIds, action }: FilterChange,
  now: number,
): Promise<FilterRow> {
  const values = [label ?? null, words ?? null, pattern ?? null, channelIds ?? null, action ?? null];
  const [updated] = await writer.writeAll((tx) => tx.query(update, [filterId, ...values, now]));
  return updated ?? rejectUnknownFilter(filterId);
}

export async function deleteFilter(writer: Writer, filterId: string): Promise<void> {
  const [deleted] = await writer.writeAll((tx) => tx.query(remove, [filterId]));
  if (deleted === undefined) rejectUnknownFilter(filterId);
}

/** How many texts filters found something in, for the last days. */
export async function hitsOf(db: Pick<Db, "query">, filterId: string): Promise<number> {
  const [found] = await db.query(list, [filterId]);
  return found?.hitCount ?? 0;
}

/** The state of a filter that a process needs to know whether it has to read it again. */
export type FilterVersion = Row<"Filter", "pk" | "revision">;

export const listVersions = (db: Db): Promise<FilterVersion[]> => db.query(versions);

/** What a process needs to apply a filter. */
export type StoredFilter = FilterVersion &
  Row<"Filter", "filterId" | "label" | "words" | "pattern" | "channelIds" | "action">;

/** Undefined: it was deleted meanwhile. */
export async function readFilter(db: Db, pk: number): Promise<StoredFilter | undefined> {
  const [filter] = await db.query(read, [pk]);
  return filter;
}

/** Adds hits of some filters to those of today. A filter that was deleted meanwhile is left out. */
export async function addHits(db: Db, hits: ReadonlyMap<number, number>): Promise<void> {
  await db.query(count, [[...hits.keys()], [...hits.values()]]);
}

/** Removes the hits that nothing shows any more. */
export async function sweepHits(db: Db): Promise<false> {
  await db.query(sweep);
  return false;
}

function rejectUnknownFilter(filterId: string): never {
  throw new ServiceError("filter_not_found", `There is no filter ${filterId}.`);
}

const columns = `${selectList(["filterId", "label", "pattern", "channelIds", "action", "createdAt", "updatedAt"])},
  cardinality(words) AS "wordCount"`;
const today = `(${databaseNow} / 86400000)::integer`;
const hitCount = `(SELECT COALESCE(sum(count), 0)::bigint FROM filter_hits
  WHERE filter_pk = pk AND day > ${today} - ${limits.filterHitDays}) AS "hitCount"`;

const lock = defineLock("filters.lock", "'madang filters'");

const insert: Statement<FilterRow> = {
  name: "filters.insert",
  text: `INSERT INTO filters (filter_id, label, words, pattern, channel_ids, action, created_at, updated_at)
    SELECT 'flt_' || replace(gen_random_uuid()::text, '-', ''), $1, $2::text[], $3, $4::text[], $5, $6::bigint, $6::bigint
    WHERE (SELECT count(*) FROM filters) < $7 RETURNING ${columns}`,
};

const list: Statement<FilterWithHits> = {
  name: "filters.list",
  text: `SELECT ${columns}, ${hitCount} FROM filters WHERE $1::text IS NULL OR filter_id = $1 ORDER BY created_at, pk`,
};

const find: Statement<FilterWithHits & Row<"Filter", "words">> = {
  name: "filters.find",
  text: `SELECT ${columns}, words, ${hitCount} FROM filters WHERE filter_id = $1`,
};

const update: Statement<FilterRow> = {
  name: "filters.update",
  text: `UPDATE filters SET label = COALESCE($2, label),
        words = CASE WHEN $4::text IS NULL THEN COALESCE($3::text[], words) ELSE '{}' END,
        pattern = CASE WHEN $3::text[] IS NULL THEN COALESCE($4, pattern) END,
        channel_ids = COALESCE($5::text[], channel_ids), action = COALESCE($6, action),
        revision = revision + 1, updated_at = GREATEST($7::bigint, updated_at + 1)
      WHERE filter_id = $1 RETURNING ${columns}`,
};

const remove: Statement<{ pk: number }> = {
  name: "filters.delete",
  text: `DELETE FROM filters WHERE filter_id = $1 RETURNING pk`,
};

const versions: Statement<FilterVersion> = {
  name: "filters.versions",
  text: "SELECT pk, revision FROM filters ORDER BY created_at, pk",
};

const read: Statement<StoredFilter> = {
  name: "filters.read",
  text: `SELECT ${selectList(["pk", "revision", "filterId", "label", "words", "pattern", "channelIds", "action"])}
    FROM filters WHERE pk = $1`,
};

const count: Statement<unknown> = {
  name: "filters.count-hits",
  text: `INSERT INTO filter_hits (filter_pk, day, count)
    SELECT pk, ${today}, hits FROM unnest($1::bigint[], $2::bigint[]) AS found (key, hits) JOIN filters ON pk = key
    ORDER BY pk ON CONFLICT (filter_pk, day) DO UPDATE SET count = filter_hits.count + excluded.count`,
};

const sweep: Statement<unknown> = {
  name: "filters.sweep-hits",
  text: `DELETE FROM filter_hits WHERE day <= ${today} - ${limits.filterHitDays}`,
};
