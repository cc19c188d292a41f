import { isNetworkError, isTimeoutError } from "ky";
import type { Attempts } from "../transport/attempt";
import type { OutgoingRequest } from "../transport/request";
import { ChatError } from "./chat-error";
import { AbortError, ConnectionError, TimeoutError } from "./errors";
import { copyCause } from "./secrets";

/** The error of a call that got no complete response. */
export function createFailure(error: unknown, request: OutgoingRequest, attempts: Attempts): ChatError {
  const { operation, timeoutMs, totalTimeoutMs, secrets, signal } = request;
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
    const limit = remainingMs <= 1 ? `${totalTimeoutMs} ms in total` : `${timeoutMs} ms`;
    return new TimeoutError("timeout", `${operation} did not complete within ${limit} (${times}).`, fields);
  }
  // Ky's error and that of the attempt wrap the error of `fetch`.
  const fault = isNetworkError(error) && error.cause instanceof Error ? error.cause.cause : error;
  const cause = copyCause(fault, secrets);
  const reason = explain(cause.cause instanceof Error ? cause.cause : cause);
  return new ConnectionError(
    "connection",
    `${operation} got no complete response: ${reason} (${times}).`,
    fields,
    cause,
  );
}

/** OpenSSL's own message does not say what to do. */
function explain(fault: Error): string {
  const code = "code" in fault ? String(fault.code) : "";
  return code.startsWith("ERR_SSL_")
    ? `the TLS handshake failed (${code}). If the server expects plain HTTP, baseUrl begins with http://`
    : fault.message;
}
