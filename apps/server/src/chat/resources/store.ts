import { limits } from "@madang/contract";
import type { Db, Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { type Command, defineCommand, type Locked } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { type About, emit } from "../emit";

interface HasMeta {
  readonly meta: Record<string, string>;
}

/** A user or a channel. */
interface ResourceTable<Row extends HasMeta> {
  /** How errors and events name it; its table and the column of its id are named after it. */
  readonly noun: "user" | "channel";
  readonly fields: readonly (keyof Row & string)[];
  /** The fields as a select list. */
  readonly columns: string;
  /** For the events of a row with the key and the columns. */
  readonly about: About;
  rejectUnknown(id: string): never;
  /** The row. Rejects the request if there is none. */
  requireRow(db: Db, id: string): Promise<Row>;
}

/** With the commands that change it. */
export interface Resource<Row extends HasMeta>
  extends Pick<ResourceTable<Row>, "noun" | "rejectUnknown" | "requireRow"> {
  readonly update: Command<Row, keyof typeof newValues>;
  readonly merge: Command<Row, keyof typeof metaChange>;
  readonly remove: Command<Row, keyof typeof metaChange>;
  /**
   * Defines a change of a row after its lock. A row for which `isChanged` is false keeps its `updated_at`, and has no event. No row is
   * changed unless the condition holds.
   */
  defineChange<Column extends string>(change: {
    readonly name: string;
    /** What a request gives, with the types. */
    readonly columns: Readonly<Record<Column, string>>;
    /** Gets the ids as an array. */
    readonly lock: Statement<Locked>;
    readonly isChanged: string;
    readonly assignments: string;
    readonly condition?: string;
  }): Command<Row, Column | "id" | "now">;
}

const newValues = { id: "text", new_name: "text", new_profile_url: "text", now: "bigint" };
/** `given` are pairs to merge, or an array of keys to delete. */
const metaChange = { id: "text", given: "jsonb", now: "bigint" };
/** Changes of one resource write the same row. */
const sharing = { group: ["id"] } as const;

/** How many pairs merged metadata has. */
export const pairCount = "jsonb_array_length(jsonb_path_query_array(meta || given, '$.keyvalue()'))";
export const mergedMeta = "meta || given";
/** `updated_at` increases even if the last change was in the same millisecond. */
export const changedUpdatedAt = (now: string) => `updated_at = GREATEST(${now}, updated_at + 1)`;
const givenKeys = "ARRAY(SELECT jsonb_array_elements_text(given))";

export function defineResource<Row extends HasMeta>(definition: ResourceTable<Row>): Resource<Row> {
  const { noun, fields, columns, about, rejectUnknown, requireRow } = definition;
  const table = `${noun}s`;
  const isLive = `${noun}_id = id AND deleted_at IS NULL`;
  const emitted = `emitted AS (${emit(`${noun}.updated`, about, "updated")})`;
  // The rows are changed in the order of their keys, so that two statements do not wait for each other.
  const target = `target AS (
      SELECT sent.*, pk AS target_pk FROM sent JOIN ${table} ON ${isLive} ORDER BY pk
    )`;
  const isTarget = "pk = target_pk AND deleted_at IS NULL";
  const updatedAt = changedUpdatedAt("now");
  // One row, unless the change is not allowed, or another request made or undid the same change since the snapshot: then it runs again.
  const changeMeta = (name: string, condition: string, meta: string, isChange: string) =>
    defineCommand<Row, keyof typeof metaChange>(
      name,
      metaChange,
      `${target}, updated AS (
      UPDATE ${table} SET meta = ${meta}, ${updatedAt} FROM target
      WHERE ${isTarget} AND ${isChange} AND ${condition} RETURNING ordinal, pk, ${columns}
    ), ${emitted}, effect AS (
      SELECT ordinal, ${nameList("updated", fields)} FROM updated
      UNION ALL SELECT ordinal, ${columns} FROM target JOIN ${table} ON ${isTarget} WHERE NOT ${isChange}
    )`,
      { sharing },
    );
  return {
    noun,
    update: defineCommand(
      `${table}.update`,
      newValues,
      `${target}, updated AS (
      UPDATE ${table} SET name = new_name,
        profile_url = CASE WHEN new_profile_url IS NULL THEN profile_url ELSE NULLIF(new_profile_url, '') END, ${updatedAt}
      FROM target WHERE ${isTarget} RETURNING ordinal, pk, ${columns}
    ), ${emitted}, effect AS (SELECT ordinal, ${nameList("updated", fields)} FROM updated)`,
      { sharing },
    ),
    merge: changeMeta(
      `${table}.merge-meta`,
      `${pairCount} <= ${limits.meta.maxPairs}`,
      mergedMeta,
      "(NOT meta @> given)",
    ),
    remove: changeMeta(`${table}.delete-meta`, "true", `meta - ${givenKeys}`, `(meta ?| ${givenKeys})`),
    defineChange: ({ name, columns: given, lock, isChanged, assignments, condition = "true" }) =>
      defineCommand(
        name,
        { ...given, id: "text", now: "bigint" },
        `before AS (
        SELECT sent.*, pk AS old_pk, ${isChanged} AS is_changed FROM sent JOIN ${table} ON ${isLive}
      ), updated AS (
        UPDATE ${table} SET ${assignments},
          updated_at = CASE WHEN is_changed THEN GREATEST(now, updated_at + 1) ELSE updated_at END
        FROM before WHERE pk = old_pk AND ${condition} RETURNING ordinal, pk, is_changed, ${columns}
      ), emitted AS (${emit(`${noun}.updated`, about, "updated WHERE is_changed")}), effect AS (
        SELECT ordinal, ${nameList("updated", fields)} FROM updated
      )`,
        { lock: { statement: lock, columns: ["id"] }, sharing },
      ),
    rejectUnknown,
    requireRow,
  };
}

/** An undefined profile URL keeps the current one; an empty string removes it. */
export async function updateResource<Row extends HasMeta>(
  writer: Writer,
  { update, rejectUnknown }: Resource<Row>,
  { id, name, profileUrl, now }: { id: string; name: string; profileUrl: string | undefined; now: number },
): Promise<Row> {
  const [updated] = await writer.write(update, {
    id,
    new_name: name,
    new_profile_url: profileUrl ?? null,
    now,
  });
  return updated ?? rejectUnknown(id);
}

/**
 * Merges pairs into the metadata, all or none. One statement reads, checks and writes the row. After a concurrent merge,
 * PostgreSQL checks the new row again, so no pair is lost and the limit holds.
 */
export async function mergeMeta<Row extends HasMeta>(
  writer: Writer,
  resource: Resource<Row>,
  { id, pairs, now }: { id: string; pairs: Record<string, string>; now: number },
): Promise<Row> {
  return writeOrExplain(
    () => writer.write(resource.merge, { id, given: JSON.stringify(pairs), now }),
    () => explainNotMerged(writer.db, resource, id, pairs),
  );
}

async function explainNotMerged<Row extends HasMeta>(
  db: Db,
  { noun, requireRow }: Resource<Row>,
  id: string,
  pairs: Record<string, string>,
): Promise<undefined> {
  const { meta } = await requireRow(db, id);
  if (Object.keys({ ...meta, ...pairs }).length > limits.meta.maxPairs)
    throw new ServiceError(
      "meta_limit_exceeded",
      `The ${noun} ${id} would have more than ${limits.meta.maxPairs} metadata pairs. Delete some keys first.`,
    );
}

/** Deletes keys of the metadata. Absent keys are ignored. */
export async function deleteMeta<Row extends HasMeta>(
  writer: Writer,
  { remove, requireRow }: Resource<Row>,
  { id, keys, now }: { id: string; keys: readonly string[]; now: number },
): Promise<Row> {
  return writeOrExplain(
    () => writer.write(remove, { id, given: JSON.stringify(keys), now }),
    async () => void (await requireRow(writer.db, id)),
  );
}
