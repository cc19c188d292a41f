import type { Prisma } from "./generated/client";

/** The fields of a model of `schema.prisma` that are columns. */
export type Field<Model extends Prisma.ModelName> = keyof Scalars<Model> & string;

type Scalars<Model extends Prisma.ModelName> = Prisma.TypeMap["model"][Model]["payload"]["scalars"];

/**
 * Fields of a model as a hand-written statement returns them: 64-bit integers are numbers, bytes are a Buffer. Renaming a
 * field in the schema breaks the build here.
 */
export type Row<Model extends Prisma.ModelName, Name extends Field<Model> = Field<Model>> = {
  readonly [Each in Name]: Value<Each, Scalars<Model>[Each]>;
};

// The tables' check constraints and the contract allow nothing else in `meta`.
type Value<Name, Type> = Name extends "meta" ? Record<string, string> : Converted<Type>;

type Converted<Type> = Type extends bigint ? number : Type extends Uint8Array ? Buffer : Type;

/** Rows of a LEFT JOIN of a parent and its items. No row: the parent does not exist. One row whose key is null: it has no items. */
export type Joined<Item, Key extends keyof Item, Parent = unknown> = Parent &
  (Item | { readonly [Each in Key]: null });

/** The items in rows of `Joined`. */
export const itemsOf = <JoinedRow, Key extends keyof JoinedRow>(rows: readonly JoinedRow[], key: Key) =>
  rows.filter((row): row is Exclude<JoinedRow, { readonly [Each in Key]: null }> => row[key] !== null);

/** The values of each of these fields, in rows, for a statement that takes them with `unnest`. */
export const columnsOf = <Given>(rows: readonly Given[], ...fields: readonly (keyof Given)[]) =>
  fields.map((field) => rows.map((row) => row[field]));

/**
 * Fields as a select list; `of` is where they are, such as "u.". A test checks that the columns in `schema.prisma` are named after
 * their fields.
 */
export const selectList = (fields: readonly string[], of = "") =>
  fields.map((field) => `${of}${columnOf(field)} AS "${field}"`).join(", ");

/** Fields that the subquery `source` selected with `selectList`. */
export const nameList = (source: string, fields: readonly string[]) =>
  fields.map((field) => `${source}."${field}"`).join(", ");

export const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Converts a row that Prisma's client read to the form in which statements return rows. */
export const fromPrisma = <Selected extends object>(selected: Selected) =>
  // `convert` does for values what `Converted` does for types.
  Object.fromEntries(Object.entries(selected).map(([field, value]) => [field, convert(value)])) as {
    readonly [Each in keyof Selected]: Value<Each, Selected[Each]>;
  };

function convert(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
