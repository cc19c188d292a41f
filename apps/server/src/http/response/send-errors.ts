import { type ErrorCode, errors } from "@madang/contract";
import type { ErrorRequestHandler, Response } from "express";
import { isDatabaseUnavailable } from "../../db/faults";
import { invalidField, ServiceError } from "../../errors/service-error";
import type { HttpDeps } from "../deps";
import { endAfterDrain } from "../hardening/end-after-drain";
import { localsOf } from "../locals";
import { countReasons } from "../observe/count-reasons";

/** Turns every thrown error into a response with problem details (RFC 9457). */
export function sendErrors({ logger, basePath }: Pick<HttpDeps, "logger" | "basePath">): ErrorRequestHandler {
  // The lines of the requests have their ids.
  const logUnavailable = countReasons((line) => logger.error(line, "requests got 503"));
  return (thrown, _request, response, _next) => {
    const error = toServiceError(thrown);
    const { requestId, traceId } = localsOf(response);
    if (error.code === "unavailable" || error.code === "storage_unavailable") logUnavailable(thrown);
    if (error.code === "internal")
      logger.error(
        { err: thrown, request_id: requestId, ...(traceId && { trace_id: traceId }) },
        "request failed",
      );
    if (response.headersSent) {
      // Part of the response was sent. Closing the connection is the only way to report the error.
      response.destroy();
      return;
    }
    sendProblem(response, error, basePath);
  };
}

const defaultRetryAfterSeconds: { readonly [Code in ErrorCode]?: number } = {
  unavailable: 1,
  // A disk is not emptied within a second, and each attempt may send the whole file.
  storage_unavailable: 5,
  check_unavailable: 1,
  idempotency_key_in_use: 1,
  rate_limited: 1,
};

function sendProblem(response: Response, error: ServiceError, basePath: string): void {
  const { code, retryAfterSeconds = defaultRetryAfterSeconds[code] } = error;
  localsOf(response).code = code;
  if (code === "unauthenticated") response.setHeader("WWW-Authenticate", "Bearer");
  if (retryAfterSeconds !== undefined) response.setHeader("Retry-After", retryAfterSeconds);
  const body = serializeProblem(error, localsOf(response).requestId, basePath);
  response.status(errors[code].status).setHeader("Content-Type", problemType);
  response.setHeader("Content-Length", body.length);
  // A body that is too large was paused; one of another type was not read at all.
  if (response.req.isPaused() || code === "unsupported_media_type")
    endAfterDrain(response.req, response, body);
  else response.end(body);
}

export const problemType = "application/problem+json; charset=utf-8";

/** The body of an error response: problem details (RFC 9457). */
export function serializeProblem(
  { code, detail, errors: fields, members }: ServiceError,
  requestId: string,
  basePath: string,
): Buffer {
  const { status, title } = errors[code];
  const problem = {
    type: `${basePath}/docs#${code}`,
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(fields && { errors: fields }),
    ...members,
  };
  return Buffer.from(JSON.stringify(problem));
}

export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (isDatabaseUnavailable(thrown))
    return new ServiceError("unavailable", "The database is unavailable. Try again shortly.");
  return (
    fromExpress(thrown) ??
    new ServiceError(
      "internal",
      "An unexpected error occurred. The server logged the cause under this request id.",
    )
  );
}

/** Express itself rejects a path that it cannot decode. */
function fromExpress(thrown: unknown): ServiceError | undefined {
  const { status } = Object(thrown) as { status?: unknown };
  const isBadEncoding = thrown instanceof URIError || (status === 400 && thrown instanceof Error);
  return isBadEncoding ? invalidEncoding("path") : undefined;
}

export function invalidEncoding(part: "path" | "query"): ServiceError {
  return invalidField(part, "", `The ${part} is not valid percent-encoded UTF-8.`);
}
