import { describeField, type ErrorFields, type InvalidField } from "../errors/chat-error";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type ParseError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "../errors/errors";
import { redact } from "../errors/secrets";
import type { Message } from "../generated/types";
import { createParseError, type ReceivedResponse } from "./response";
import { isRetryable } from "./retries";

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/**
 * The error of a response that reports one: of the service, as problem details, or of a proxy in front of it. What only the
 * service can know, such as that a user does not exist, counts only in problem details; of another server it is a
 * `ParseError`.
 */
export function createApiError(response: ReceivedResponse): ApiError | ParseError {
  const { request, status, requestId, retryAfterMs, attempts } = response;
  const { operation, secrets } = request;
  const problem = parseProblem(response, redact(response.text, secrets));
  if (!problem.code && status >= 400 && status < 500 && !statusesOfProxies.includes(status))
    return createParseError(response, `no error of this service. Check the address ${request.url}`);
  const { code, detail = explainStatus(status) } = problem;
  const retryable = isRetryable(response);
  const fields = { operation, status, attempts, retryable, ...problem, requestId, retryAfterMs };
  const ErrorClass = classes[status] ?? (status > 499 ? ServerError : ApiError);
  const origin = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(" ");
  // `detail` repeats the first of the broken rules.
  const reason = problem.errors?.map(describeField).join(" ") || detail;
  return new ErrorClass("api", `${operation}: ${reason} (${origin})`, fields);
}

/** Slow mode may last for hours, so calls do not wait for it: a page shows `retryAfterMs`. */
export const isSlowMode = (response: ReceivedResponse): boolean =>
  response.status === 429 && parseProblem(response, response.text).code === "slow_mode";

// Request Timeout, Content Too Large and Too Many Requests.
const statusesOfProxies = [408, 413, 429];

/** Takes the fields that are usable and of the right type. An unknown code is kept; of other text, the beginning. */
function parseProblem(
  { headers }: ReceivedResponse,
  text: string,
): Omit<ErrorFields, "operation" | "attempts" | "retryable" | "status" | "requestId" | "retryAfterMs"> {
  let problem: Record<string, unknown> = {};
  try {
    problem = Object(JSON.parse(text));
  } catch {}
  const { code, detail, errors, current, message_id: messageId, append_count: appendCount } = problem;
  const { check, filter_id: filterId, reason } = problem;
  const isProblem = /^application\/problem\+json\b/i.test(headers.get("content-type") ?? "");
  if (!isProblem || typeof code !== "string") return text ? { body: text.slice(0, 200) } : {};
  return {
    code,
    ...(typeof detail === "string" && { detail }),
    ...(Array.isArray(errors) && { errors: errors.filter(isInvalidField) }),
    // A message of the service, as in its other responses.
    ...(code === "message_changed" && { current: current as Message }),
    ...(typeof messageId === "string" && { messageId }),
    ...(typeof appendCount === "number" && { appendCount }),
    ...((check === "filter" || check === "hook") && { check }),
    ...(typeof filterId === "string" && { filterId }),
    ...(typeof reason === "string" && { reason }),
  };
}

function isInvalidField(value: unknown): value is InvalidField {
  const { path, message } = Object(value);
  return path !== undefined && message !== undefined;
}

function explainStatus(status: number): string {
  return status >= 300 && status < 400
    ? "The server redirects: set baseUrl to its address."
    : "The server sent no explanation.";
}
