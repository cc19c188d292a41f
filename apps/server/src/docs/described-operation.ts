import { type ErrorCode, errorCodes, type OpenApiDocument, type OperationId } from "@madang/contract";

type PathItem = OpenApiDocument["paths"][string];
type OperationObject = NonNullable<PathItem["get"]>;
type Response = OperationObject["responses"][string];
export type Answer = Exclude<Response, { readonly $ref: string }>;
export type Schema = OpenApiDocument["components"]["schemas"][string];
export type Parameter = NonNullable<OperationObject["parameters"]>[number];
export type MediaType = NonNullable<Answer["content"]>[string];

/** One operation of the OpenAPI document, with its references followed, as the page shows it. */
export interface DescribedOperation {
  readonly id: OperationId;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
  readonly body: MediaType | undefined;
  readonly isBodyRequired: boolean;
  readonly success: { readonly status: number; readonly answer: Answer };
  readonly refusals: readonly { readonly status: number; readonly codes: readonly ErrorCode[] }[];
}

/** Every operation in the order of the document. */
export function listOperations(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => describe(document, path, method, operation)),
  );
}

function describe(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): DescribedOperation {
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    answer: follow(document, response),
  }));
  const success = answers.find(({ status }) => status < 400);
  if (success === undefined) throw new Error(`${operation.operationId} has no answer of success.`);
  return {
    // The document is generated from the contract.
    id: operation.operationId as OperationId,
    method: method.toUpperCase(),
    path,
    operation,
    body: operation.requestBody?.content["application/json"],
    isBodyRequired: operation.requestBody?.required ?? false,
    success,
    refusals: answers
      .filter(({ status }) => status >= 400)
      .map(({ status, answer }) => ({ status, codes: codesOf(answer) })),
  };
}

function follow(document: OpenApiDocument, response: Response): Answer {
  if (!("$ref" in response)) return response;
  const answer = document.components.responses[response.$ref.split("/").at(-1) ?? ""];
  if (answer === undefined) throw new Error(`The document lacks ${response.$ref}.`);
  return answer;
}

/** A refusal's examples are named by its codes, one each. */
function codesOf(answer: Answer): ErrorCode[] {
  const named = answer.content?.["application/problem+json"]?.examples ?? {};
  return errorCodes.filter((code) => code in named);
}
