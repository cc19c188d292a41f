import type { Prisma } from "./generated/client";

/** The fields of a model of `schema.prisma` that are columns. */
export type Field<Model extends Prisma.ModelName> = keyof Scalars<Model> & string;

type Scalars<Model extends Prisma.ModelName> = Prisma.TypeMap["model"][Model]["payload"]["scalars"];

/**
 * Fields of a model as a hand-written statement returns them: 64-bit integers are numbers, bytes are a Buffer. A field
 * that is renamed in the schema breaks the build here.
 */
export type Row<Model extends Prisma.ModelName, Name extends Field<Model> = Field<Model>> = {
  readonly [Each in Name]: Value<Each, Scalars<Model>[Each]>;
};

// The checks of the tables and of the contract allow nothing else in `meta`.
type Value<Name, Type> = Name extends "meta" ? Record<string, string> : Converted<Type>;

type Converted<Type> = Type extends bigint ? number : Type extends Uint8Array ? Buffer : Type;

/** Fields as a select list. A test holds `schema.prisma` to the names of the columns. */
export const selectList = (fields: readonly string[]) =>
  fields.map((field) => `${columnOf(field)} AS "${field}"`).join(", ");

/** Fields that the query `source` has selected by `selectList`. */
export const nameList = (source: string, fields: readonly string[]) =>
  fields.map((field) => `${source}."${field}"`).join(", ");

/** The column of a field: its name in snake_case. */
export const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A row that Prisma's client read, as a statement returns it. */
export const rowOf = <Selected extends object>(selected: Selected) =>
  // Each value is converted as the type says.
  Object.fromEntries(Object.entries(selected).map(([field, value]) => [field, convert(value)])) as {
    readonly [Each in keyof Selected]: Value<Each, Selected[Each]>;
  };

function convert(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}
