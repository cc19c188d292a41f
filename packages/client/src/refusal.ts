import type { Answer, Exchange } from "./attempts";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorFields,
  type InvalidField,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "./errors";
import { isPassing } from "./retry-rule";
import { redact } from "./secrets";

const classes: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error of an answer that refuses: of the service as problem details, or of whatever stands in front of it. */
export function createRefusal(answer: Answer, { operation, secrets }: Exchange): ApiError {
  const { status, requestId, retryAfterMs, attempts } = answer;
  const problem = parseProblem(redact(answer.text, secrets));
  const { code, detail = explainStatus(status) } = problem;
  const fields = {
    ...{ operation, status, attempts, retryable: isPassing(answer) },
    ...problem,
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
  const Refusal = classes[status] ?? (status > 499 ? ServerError : ApiError);
  const trail = [status, code, requestId && `request ${requestId}`].filter(Boolean).join(" ");
  const broken = problem.errors?.map(({ in: part, path, message }) => ` ${part} ${path}: ${message}`) ?? [];
  return new Refusal("api", `${operation}: ${detail}${broken.join("")} (${trail})`, fields);
}

/** Takes what is usable and of the right type: an unknown code is kept, a page of HTML gives its beginning. */
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
  return typeof value === "object" && value !== null && "path" in value && "message" in value;
}

function explainStatus(status: number): string {
  return status >= 300 && status < 400
    ? "The server redirects; set baseUrl to the address that it redirects to."
    : "The server refused the request without saying why.";
}
