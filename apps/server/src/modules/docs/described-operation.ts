import {
  type ErrorCode,
  errorCodes,
  type eventStreamOperation,
  type OpenApiDocument,
  type OperationId,
} from "@madang/contract";

type PathItem = OpenApiDocument["paths"][string];
type OperationObject = NonNullable<PathItem["get"]>;
type ResponseOrReference = OperationObject["responses"][string];
type ResponseObject = Exclude<ResponseOrReference, { readonly $ref: string }>;
type MediaType = NonNullable<ResponseObject["content"]>[string];

/** An operation of the OpenAPI document, with its references resolved. */
export interface DescribedOperation {
  readonly id: OperationId | typeof eventStreamOperation.id;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
  readonly body: MediaType | undefined;
  readonly isBodyRequired: boolean;
  readonly success: Success;
  readonly errors: readonly { readonly status: number; readonly codes: readonly ErrorCode[] }[];
}

interface Success {
  readonly status: number;
  readonly response: ResponseObject;
  /** Absent without a body. */
  readonly body: (MediaType & { readonly type: string }) | undefined;
}

/** Whether the response is server-sent events, which do not end. */
export const isStream = ({ success }: DescribedOperation) => success.body?.type === "text/event-stream";

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
  const responses = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    response: resolve(document, response),
  }));
  const success = responses.find(({ status }) => status < 400);
  if (success === undefined) throw new Error(`${operation.operationId} has no success response.`);
  return {
    // The document is generated from the contract.
    id: operation.operationId as DescribedOperation["id"],
    method: method.toUpperCase(),
    path,
    operation,
    body: operation.requestBody?.content["application/json"],
    isBodyRequired: operation.requestBody?.required ?? false,
    success: { ...success, body: bodyOf(success.response) },
    errors: responses
      .filter(({ status }) => status >= 400)
      .map(({ status, response }) => ({ status, codes: codesOf(response) })),
  };
}

function bodyOf({ content = {} }: ResponseObject): Success["body"] {
  const [body] = Object.entries(content).map(([type, media]) => ({ type, ...media }));
  return body;
}

function resolve(document: OpenApiDocument, response: ResponseOrReference): ResponseObject {
  if (!("$ref" in response)) return response;
  const found = document.components.responses[response.$ref.split("/").at(-1) ?? ""];
  if (found === undefined) throw new Error(`The document has no ${response.$ref}.`);
  return found;
}

/** The examples of an error response are named after its codes. */
function codesOf(response: ResponseObject): ErrorCode[] {
  const named = response.content?.["application/problem+json"]?.examples ?? {};
  return errorCodes.filter((code) => code in named);
}
