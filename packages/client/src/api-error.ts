import { describeField, type ErrorFields, type InvalidField } from "./chat-error";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "./errors";
import type { ReceivedResponse } from "./response";
import { isRetryable } from "./retry-rules";
import { redact } from "./secrets";

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error of a response that reports one: of the service, as problem details, or of a proxy in front of it. */
export function createApiError(response: ReceivedResponse): ApiError {
  const { request, status, requestId, retryAfterMs, attempts } = response;
  const { operation, secrets } = request;
  const problem = parseProblem(redact(response.text, secrets));
  const { code, detail = explainStatus(status) } = problem;
  const retryable = isRetryable(response);
  const fields = { operation, status, attempts, retryable, ...problem, requestId, retryAfterMs };
  const ErrorClass = classes[status] ?? (status > 499 ? ServerError : ApiError);
  const origin = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(" ");
  // `detail` repeats the first of the broken rules.
  const reason = problem.errors?.map(describeField).join(" ") || detail;
  return new ErrorClass("api", `${operation}: ${reason} (${origin})`, fields);
}

/** Takes the fields that are usable and of the right type. An unknown code is kept; of other text, the beginning. */
function parseProblem(text: string): Pick<ErrorFields, "code" | "detail" | "errors" | "body"> {
  let problem: Record<string, unknown> = {};
  try {
    problem = Object(JSON.parse(text));
  } catch {}
  const { code, detail, errors } = problem;
  if (typeof code !== "string") return text ? { body: text.slice(0, 200) } : {};
  return {
    code,
    ...(typeof detail === "string" && { detail }),
    ...(Array.isArray(errors) && { errors: errors.filter(isInvalidField) }),
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
