import type { OperationWithSchemas, Schema } from "@madang/contract";
import type { Column, ColumnType } from "../src/data/tables/column.ts";
import { isSecret, isTime, resolve } from "./schema.ts";

/** The columns of the entries of an operation that responds with a list: an array, or pages. */
export function columnsOfList({ route, query, response }: OperationWithSchemas): Column[] | undefined {
  if (route.method !== "GET" || response === undefined) return undefined;
  const schema = resolve(response);
  const isPaged = query.some(({ name }) => name === "next");
  const entry = isPaged || schema.type === "array" ? entryOf(schema) : undefined;
  return entry && columnsOf(entry);
}

/** Of an object, the entries of its only array. */
function entryOf(schema: Schema): Schema | undefined {
  const { type, items, properties = {}, anyOf, oneOf } = schema;
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return entryOf(resolve(first));
  if (type === "array" && items !== undefined && !Array.isArray(items)) return resolve(items);
  const [only, ...others] = Object.values(properties).filter((each) => resolve(each).type === "array");
  return only === undefined || others.length > 0 ? undefined : entryOf(resolve(only));
}

/** A column for each scalar field, one for each field of an object with known fields, and JSON for everything else. */
function columnsOf(entry: Schema): Column[] {
  const columns = propertiesOf(entry).flatMap(([name, schema]): Column[] => {
    if (schema.properties === undefined) return [{ name, path: [name], type: typeOf(schema) }];
    return propertiesOf(schema).map(([field, inner]) => ({
      // `user_id` of `user` is the column `user_id`.
      name: field.startsWith(`${name}_`) ? field : `${name}_${field}`,
      path: [name, field],
      type: typeOf(inner),
    }));
  });
  const names = new Set(columns.map(({ name }) => name));
  if (names.size < columns.length) throw new Error("Two fields have the same column.");
  return columns;
}

/** The fields of an object, or those of all forms of a union, without secrets. */
function propertiesOf(schema: Schema): [string, Schema][] {
  const { properties = {}, anyOf, oneOf } = schema;
  const found = new Map(Object.entries(properties).map(([name, property]) => [name, resolve(property)]));
  for (const form of anyOf ?? oneOf ?? [])
    for (const [name, property] of propertiesOf(resolve(form))) {
      const { properties: fields, ...other } = found.get(name) ?? property;
      // An object whose fields depend on the form has none of its own.
      const isSame = fields !== undefined && namesIn(fields) === namesIn(property.properties);
      found.set(name, isSame ? property : other);
    }
  return [...found].filter(([, property]) => !isSecret(property));
}

const namesIn = (properties: Schema["properties"]) => Object.keys(properties ?? {}).join();

function typeOf(schema: Schema): ColumnType {
  if (isTime(schema)) return "time";
  const { type } = schema;
  if (type === "string") return "text";
  return type === "integer" || type === "boolean" ? type : "json";
}
