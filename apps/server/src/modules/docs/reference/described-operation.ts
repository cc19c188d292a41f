import {
  type ErrorCode,
  errorCodes,
  errorCodesOf,
  eventStreamOperation,
  type MediaType,
  type OpenApiDocument,
  type OperationId,
  type OperationObject,
  operations,
  type ResponseObject,
} from "@madang/contract";

/** An operation of the OpenAPI document, with its success response and its errors. */
export interface DescribedOperation {
  readonly id: OperationId | typeof eventStreamOperation.id;
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
  readonly body: MediaType | undefined;
  readonly isBodyRequired: boolean;
  readonly success: Success;
  readonly errors: readonly ErrorCode[];
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
export function listOperations({ paths }: OpenApiDocument): DescribedOperation[] {
  const all = [...operations, eventStreamOperation];
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map((operation) => {
      const found = all.find(({ id }) => id === operation.operationId);
      if (found === undefined) throw new Error(`The contract has no operation ${operation.operationId}.`);
      const { requestBody } = operation;
      const codes = new Set(errorCodesOf(found));
      return {
        id: found.id,
        method: found.route.method,
        path,
        operation,
        body: requestBody?.content["application/json"],
        isBodyRequired: requestBody?.required ?? false,
        success: successOf(operation),
        errors: errorCodes.filter((code) => codes.has(code)),
      };
    }),
  );
}

function successOf({ operationId, responses }: OperationObject): Success {
  for (const [status, response] of Object.entries(responses)) {
    if (Number(status) >= 400 || "$ref" in response) continue;
    const [body] = Object.entries(response.content ?? {}).map(([type, media]) => ({ type, ...media }));
    return { status: Number(status), response, body };
  }
  throw new Error(`${operationId} has no success response.`);
}
