import { isNetworkError, isTimeoutError } from "ky";
import type { Attempts } from "./attempt";
import { ChatError } from "./chat-error";
import { AbortError, ConnectionError, TimeoutError } from "./errors";
import type { OutgoingRequest } from "./request";
import { copyCause } from "./secrets";

/** The error of a call that got no complete response. */
export function createFailure(error: unknown, request: OutgoingRequest, attempts: Attempts): ChatError {
  const { operation, timeout, totalTimeout, secrets, signal } = request;
  if (error instanceof ChatError) return error;
  const { count, remainingMs } = attempts;
  if (signal?.aborted)
    return new AbortError(
      "abort",
      `${operation} was aborted by the signal of the caller.`,
      { operation, attempts: count },
      copyCause(signal.reason, secrets),
    );
  const fields = { operation, attempts: count, retryable: true };
  const times = `${count} ${count === 1 ? "attempt" : "attempts"}`;
  if (isTimeoutError(error)) {
    const limit = remainingMs <= 1 ? `${totalTimeout} ms in total` : `${timeout} ms`;
    return new TimeoutError("timeout", `${operation} did not complete within ${limit} (${times}).`, fields);
  }
  // Ky's error and that of the attempt wrap the error of `fetch`.
  const fault = isNetworkError(error) && error.cause instanceof Error ? error.cause.cause : error;
  const cause = copyCause(fault, secrets);
  const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
  return new ConnectionError(
    "connection",
    `${operation} got no complete response: ${reason} (${times}).`,
    fields,
    cause,
  );
}
