import { operations as contractOperations, exampleCall, openApiDocument } from "@madang/contract";
import type { FieldData, OperationData } from "../src/operations/operation.ts";
import { exampleArguments } from "./example.ts";
import { fieldsOf, isEndTime, isSecret, isTime, readField, resolve, type Schema } from "./schema.ts";

const document = openApiDocument();
const described = Object.values(document.paths).flatMap((item) => Object.values(item));

/** The operations of the contract as data for commands. Variants without a body are no commands. */
export const operations: readonly OperationData[] = contractOperations
  .filter(({ variantOf }) => variantOf === undefined)
  .map(({ id, route }) => {
    const operation = described.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`The OpenAPI document does not describe ${id}.`);
    const { summary, description, parameters = [], requestBody } = operation;
    const parametersIn = (location: string): FieldData[] =>
      parameters
        .filter((parameter) => parameter.in === location)
        .map(({ name, required, description: text = "", schema }) =>
          readField(name, { description: text, ...schema }, required),
        );
    const bodySchema = requestBody?.content["application/json"]?.schema;
    const data: OperationData = {
      id,
      summary,
      description,
      method: route.method,
      masterKeyOnly: operation["x-madang-access"] === "master_key",
      path: parametersIn("path"),
      query: parametersIn("query"),
      body: bodySchema ? fieldsOf(bodySchema) : [],
      example: [],
    };
    return { ...data, example: exampleArguments(data, exampleCall(id)) };
  });

/** The description of each group of operations, such as `users.meta`. */
export const groups: Readonly<Record<string, string>> = Object.fromEntries(
  described.map(({ operationId, tags: [name] }) => {
    const tag = document.tags.find((each) => each.name === name);
    return [operationId.slice(0, operationId.lastIndexOf(".")), tag?.description ?? ""];
  }),
);

/** The names of the fields whose schemas have the format `password`. */
export const secretFields = namesOfFields(isSecret);

export const timeFields = namesOfFields(isTime);

export const endTimeFields = namesOfFields(isEndTime);

function namesOfFields(isMeant: (schema: Schema) => boolean): readonly string[] {
  const fields = Object.values(document.components.schemas).flatMap((schema) => fieldsIn(schema));
  return [...new Set(fields.filter(([, schema]) => isMeant(schema)).map(([name]) => name))];
}

function fieldsIn(schema: Schema): [string, Schema][] {
  return Object.entries(schema.properties ?? {}).map(([name, property]) => [name, resolve(property)]);
}
