import { type Operation, operations } from "../operation-list";
import type { OpenApiDocument, OperationObject, Parameter, Schema } from "./shape";

/** An operation of the contract with the JSON Schemas of the OpenAPI document in place of Zod's, for programs that generate code. */
export interface OperationWithSchemas
  extends Operation,
    Pick<OperationObject, "summary" | "description" | "tags"> {
  readonly path: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | undefined;
  /** Undefined when the response has no body. */
  readonly response: Schema | undefined;
  /** Code that calls it through the SDK. */
  readonly sample: string;
}

/** The operations of the contract, in its order. */
export function operationsWithSchemas({ paths }: OpenApiDocument): OperationWithSchemas[] {
  const described = Object.values(paths).flatMap((item) => Object.values(item));
  return operations.map((operation) => {
    const found = described.find(({ operationId }) => operationId === operation.id);
    if (found === undefined) throw new Error(`The OpenAPI document does not describe ${operation.id}.`);
    const { summary, description, tags, parameters = [], requestBody, responses } = found;
    const [{ source: sample }] = found["x-codeSamples"];
    const success = Object.entries(responses).find(([status]) => Number(status) < 400)?.[1];
    return {
      ...operation,
      summary,
      description,
      tags,
      path: parameters.filter((parameter) => parameter.in === "path"),
      query: parameters.filter((parameter) => parameter.in === "query"),
      body: requestBody && { ...requestBody.content["application/json"], required: requestBody.required },
      response: success && "content" in success ? success.content?.["application/json"]?.schema : undefined,
      sample,
    };
  });
}

/** A schema without a reference at its top. Its own description replaces that of what it refers to. */
export function resolveSchema({ components }: OpenApiDocument, schema: Schema | boolean): Schema {
  if (typeof schema === "boolean") throw new Error("A schema of the contract is a boolean.");
  const { $ref, ...own } = schema;
  if ($ref === undefined) return schema;
  const named = components.schemas[$ref.replace("#/components/schemas/", "")];
  if (named === undefined) throw new Error(`The contract has no schema ${$ref}.`);
  return { ...named, ...own };
}
