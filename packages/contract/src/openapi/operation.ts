import { type AppRoute, ContractNoBody } from "@ts-rest/core";
import * as z from "zod";
import type { ErrorCode } from "../errors";
import type { Operation } from "../operations";
import type { Components } from "./components";
import { examples } from "./examples";
import { headersOfSuccess } from "./headers";
import type { Answer, OperationObject, Parameter, Reference, RequestBody, Schema } from "./shape";
import { tags } from "./tags";

/** One operation of the contract, as OpenAPI says it. */
export function describeOperation(operation: Operation, components: Components): OperationObject {
  const { id, route, access, idempotent, extension } = operation;
  const { summary, description } = route;
  if (summary === undefined || description === undefined)
    throw new Error(`The contract gives ${id} no summary or no description.`);
  const parameters = parametersOf(operation, components);
  const requestBody = requestBodyOf(operation, components);
  return {
    operationId: id,
    summary,
    description,
    tags: [tagOf(operation)],
    "x-madang-access": access,
    "x-madang-idempotent": idempotent,
    ...(extension ? { "x-madang-extension": true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, components),
  };
}

function tagOf({ id }: Operation): string {
  const router = id.split(".", 1)[0];
  const tag = Object.entries(tags).find(([name]) => name === router);
  if (tag === undefined) throw new Error(`No chapter of the document is about ${id}.`);
  return tag[1].name;
}

function parametersOf({ id, route }: Operation, components: Components): Parameter[] {
  const { query = {} } = examples[id];
  return [
    ...parametersIn("path", route.pathParams, components),
    ...parametersIn("query", route.query, components).map((parameter) => withExample(parameter, query)),
    ...headerParametersOf(route, components),
  ];
}

/** Header names are in lower case in the contract, where they are looked up, and as people write them here. */
function headerParametersOf({ headers }: AppRoute, components: Components): Parameter[] {
  const fields = Object.entries(headers ?? {}).filter((entry): entry is [string, z.ZodType] =>
    isSchema(entry[1]),
  );
  const parameters = parametersIn("header", z.object(Object.fromEntries(fields)), components);
  return parameters.map((parameter) => ({
    ...parameter,
    name: parameter.name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
  }));
}

function withExample(parameter: Parameter, query: Readonly<Record<string, string>>): Parameter {
  const text = query[parameter.name];
  if (text === undefined) return parameter;
  return { ...parameter, example: parameter.schema.type === "integer" ? Number(text) : text };
}

function parametersIn(place: Parameter["in"], fields: unknown, components: Components): Parameter[] {
  if (!isSchema(fields)) return [];
  const { properties = {}, required = [] } = components.schema(fields);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: Schema = typeof property === "boolean" ? {} : property;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function requestBodyOf({ id, route }: Operation, components: Components): RequestBody | undefined {
  if (!("body" in route) || !isSchema(route.body)) return undefined;
  const isRequired = !(route.body instanceof z.ZodOptional);
  const { requests } = examples[id];
  const schema = components.schema(route.body);
  return {
    required: isRequired,
    content: { "application/json": { schema, ...(requests === undefined ? {} : { examples: requests }) } },
  };
}

function responsesOf(operation: Operation, components: Components): Record<string, Answer | Reference> {
  const entries = Object.entries(operation.route.responses).map(([status, response]) => [
    status,
    Number(status) < 400 ? successOf(operation, response, components) : components.refusal(codesOf(response)),
  ]);
  return Object.fromEntries(entries);
}

function successOf(operation: Operation, response: unknown, components: Components): Answer {
  const { id } = operation;
  const headers = headersOfSuccess(operation);
  if (response === ContractNoBody) return { description: "Done. The answer has no body.", headers };
  if (!isSchema(response)) throw new Error(`The answer of ${id} is neither a schema nor without a body.`);
  const { answers } = examples[id];
  return {
    description: Object.values(answers ?? {})
      .map(({ summary }) => `${summary}.`)
      .join(" "),
    headers,
    content: {
      "application/json": {
        schema: components.schema(response),
        ...(answers === undefined ? {} : { examples: answers }),
      },
    },
  };
}

const refusal = z.object({ shape: z.object({ code: z.instanceof(z.ZodEnum) }) });

/** The codes that the problem of one status can carry. */
function codesOf(response: unknown): ErrorCode[] {
  // The contract builds every refusal with `problem`, whose codes are error codes.
  return refusal.parse(response).shape.code.options as ErrorCode[];
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
