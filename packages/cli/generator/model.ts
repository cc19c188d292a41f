import { exampleCall, operationsWithSchemas, type Parameter, type Schema } from "@madang/contract";
import type { FieldData, OperationData } from "../src/commands/operations/operation.ts";
import { columnsOfList } from "./columns.ts";
import { exampleArguments } from "./example.ts";
import { document, fieldsOf, isEndTime, isSecret, isTime, readField, resolve } from "./schema.ts";

const described = operationsWithSchemas(document);

/** The operations of the contract as data for commands. Variants without a body are no commands. */
export const operations: readonly OperationData[] = described
  .filter(({ variantOf }) => variantOf === undefined)
  .map((operation) => {
    const { id, summary, description, route, access, body } = operation;
    const data: OperationData = {
      id,
      summary,
      description,
      method: route.method,
      masterKeyOnly: access === "master_key",
      path: operation.path.map(readParameter),
      query: operation.query.map(readParameter),
      body: body ? fieldsOf(body.schema) : [],
      example: [],
    };
    return { ...data, example: exampleArguments(data, exampleCall(id)) };
  });

/** The columns of the entries of each list. */
export const lists = Object.fromEntries(
  described.flatMap((operation) => {
    const columns = columnsOfList(operation);
    return columns ? [[operation.id, columns]] : [];
  }),
);

/** The description of each group of operations, such as `users.meta`. */
export const groups: Readonly<Record<string, string>> = Object.fromEntries(
  described.map(({ id, tags: [name] }) => {
    const tag = document.tags.find((each) => each.name === name);
    return [id.slice(0, id.lastIndexOf(".")), tag?.description ?? ""];
  }),
);

/** The names of the fields whose schemas have the format `password`. */
export const secretFields = namesOfFields(isSecret);

export const timeFields = namesOfFields(isTime);

export const endTimeFields = namesOfFields(isEndTime);

function readParameter({ name, description = "", schema, required }: Parameter): FieldData {
  return readField(name, { description, ...schema }, required);
}

function namesOfFields(isMeant: (schema: Schema) => boolean): readonly string[] {
  const fields = Object.values(document.components.schemas).flatMap((schema) => fieldsIn(schema));
  return [...new Set(fields.filter(([, schema]) => isMeant(schema)).map(([name]) => name))];
}

function fieldsIn(schema: Schema): [string, Schema][] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => [name, resolve(property)]);
}
