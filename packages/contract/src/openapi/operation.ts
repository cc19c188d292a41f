import { type AppRoute, ContractNoBody, isAppRouteOtherResponse } from "@ts-rest/core";
import * as z from "zod";
import { auditHeaders } from "../access/audit-headers";
import type { DescribedOperation } from "../operations/events/event-stream";
import type { Components } from "./components";
import { headersOfSuccess } from "./headers";
import { sdkSample } from "./sdk-sample";
import type { OperationObject, Parameter, Reference, RequestBody, ResponseObject, Schema } from "./shape";
import { tags } from "./tags";

/** The OpenAPI description of one operation. */
export function describeOperation(operation: DescribedOperation, components: Components): OperationObject {
  const { id, route, access, user, extension, variantOf } = operation;
  const { summary, description } = route;
  if (summary === undefined || description === undefined)
    throw new Error(`${id} has no summary or no description in the contract.`);
  const parameters = parametersOf(operation, components);
  const requestBody = requestBodyOf(operation, components);
  const responses = responsesOf(operation, components);
  const source = sdkSample(operation, { parameters, responses }, components.schemas);
  return {
    operationId: id,
    summary,
    description,
    tags: [tagOf(operation)],
    "x-madang-access": access,
    "x-madang-user": user,
    ...(extension ? { "x-madang-extension": true } : {}),
    ...(variantOf === undefined ? {} : { "x-madang-variant-of": variantOf }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
    "x-codeSamples": [{ lang: "TypeScript", label: "SDK", source }],
  };
}

function tagOf({ id }: DescribedOperation): string {
  const router = id.slice(0, id.lastIndexOf("."));
  const tag = Object.entries(tags).find(([name]) => name === router);
  if (tag === undefined) throw new Error(`The OpenAPI document has no tag for ${id}.`);
  return tag[1].name;
}

function parametersOf({ route, examples }: DescribedOperation, components: Components): Parameter[] {
  const { query = {} } = examples;
  return [
    ...parametersIn("path", route.pathParams, components),
    ...parametersIn("query", route.query, components).map((parameter) => withExample(parameter, query)),
    ...headerParametersOf(route, components),
  ];
}

const optionalAuditHeaders = Object.fromEntries(
  Object.entries(auditHeaders).map(([name, schema]) => [name, schema.optional()]),
);

/** The contract has header names in lower case. The document capitalises them. */
function headerParametersOf({ headers }: AppRoute, components: Components): Parameter[] {
  const fields = Object.entries({ ...Object(headers), ...optionalAuditHeaders }).filter(
    (entry): entry is [string, z.ZodType] => isSchema(entry[1]),
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

function parametersIn(location: Parameter["in"], fields: unknown, components: Components): Parameter[] {
  if (!isSchema(fields)) return [];
  const { properties = {}, required = [] } = components.schema(fields);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema }: Schema = typeof property === "boolean" ? {} : property;
    return {
      name,
      in: location,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function requestBodyOf(
  { route, examples }: DescribedOperation,
  components: Components,
): RequestBody | undefined {
  if (!("body" in route) || !isSchema(route.body)) return undefined;
  const isRequired = !(route.body instanceof z.ZodOptional);
  const { requests } = examples;
  const schema = components.schema(route.body);
  return {
    required: isRequired,
    content: { "application/json": { schema, ...(requests === undefined ? {} : { examples: requests }) } },
  };
}

function responsesOf(
  operation: DescribedOperation,
  components: Components,
): Record<string, ResponseObject | Reference> {
  const entries = Object.entries(operation.route.responses).map(([status, response]) => [
    status,
    Number(status) < 400 ? successOf(operation, response, components) : components.problem(response),
  ]);
  return Object.fromEntries(entries);
}

function successOf(
  operation: DescribedOperation,
  response: AppRoute["responses"][number],
  components: Components,
): ResponseObject {
  const { id, examples } = operation;
  const headers = headersOfSuccess(operation);
  if (response === ContractNoBody) return { description: "Success. The response has no body.", headers };
  const isOther = isAppRouteOtherResponse(response);
  const [type, schema] = isOther
    ? [response.contentType, response.body]
    : (["application/json", response] as const);
  if (!isSchema(schema)) throw new Error(`The response of ${id} is neither a schema nor empty.`);
  const { responses } = examples;
  return {
    description: Object.values(responses ?? {})
      .map(({ summary }) => `${summary}.`)
      .join(" "),
    headers,
    content: {
      [type]: {
        schema: components.schema(schema),
        ...(responses === undefined ? {} : { examples: responses }),
      },
    },
  };
}

function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
