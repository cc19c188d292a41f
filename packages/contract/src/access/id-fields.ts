import * as z from "zod";
import type { Operation } from "../operation-list";
import { idKinds } from "../rules/fields";

/** A field of a request that names what it is about. */
export interface IdField {
  readonly in: "path" | "query" | "body";
  readonly name: string;
  /** The field of the audit entry that has it. */
  readonly entryField: "user_id" | "channel_id" | "message_id" | "subject";
  /** Whether it names several: the entry has their number. */
  readonly isList: boolean;
  readonly schema: z.ZodType;
}

const entryFields = {
  user: "user_id",
  channel: "channel_id",
  message: "message_id",
  other: "subject",
} as const;

/**
 * The fields of an operation whose values an audit entry has, the first of each kind first: the ids in its path and its body, the field
 * that names the caller itself last. In a query, an id of another name is a position in a list. Of lists, only that of channels counts.
 */
export function idFieldsOf({ route, selfField }: Pick<Operation, "route" | "selfField">): IdField[] {
  const path = fieldsOf("path", route.pathParams);
  const query = fieldsOf("query", route.query).filter(({ name, entryField }) => name === entryField);
  const body = fieldsOf("body", "body" in route ? route.body : undefined);
  const isSelf = ({ name }: IdField) => name === selfField;
  return [...path, ...query, ...body.filter((field) => !isSelf(field)), ...body.filter(isSelf)];
}

function fieldsOf(part: IdField["in"], schema: unknown): IdField[] {
  const fields = new Map<string, IdField>();
  for (const [name, field] of shapesOf(schema).flatMap((shape) => Object.entries(shape))) {
    const value = unwrap(field);
    const isList = value instanceof z.ZodArray;
    const { kind } = idKinds.get(isList ? value.element : value) ?? {};
    if (kind === undefined || (isList && kind !== "channel")) continue;
    const entryField = isList ? "subject" : entryFields[kind];
    fields.set(name, { in: part, name, entryField, isList, schema: value });
  }
  return [...fields.values()];
}

/** The fields of an object, or of each variant of one. */
function shapesOf(schema: unknown): Readonly<Record<string, z.core.$ZodType>>[] {
  if (schema instanceof z.ZodObject) return [schema.shape];
  if (schema instanceof z.ZodOptional) return shapesOf(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf);
  if (schema instanceof z.ZodPipe) return shapesOf(schema.in);
  return [];
}

function unwrap(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return unwrap(schema.unwrap());
  // Every schema of the contract is one of Zod's classic ones.
  return schema as z.ZodType;
}
