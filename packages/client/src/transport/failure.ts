import { isNetworkError, isTimeoutError } from "ky";
import { ChatError } from "../errors/chat-error";
import { AbortError, ConnectionError, TimeoutError } from "../errors/errors";
import { isDefect } from "../errors/fetch-failure";
import { copyCause } from "../errors/secrets";
import type { Attempts } from "./attempt";
import type { OutgoingRequest } from "./request";

/** The error of a call that got no complete response. */
export function createFailure(error: unknown, request: OutgoingRequest, attempts: Attempts): Error {
  const { operation, timeoutMs, totalTimeoutMs, secrets, signal } = request;
  if (error instanceof ChatError || isDefect(error)) return error;
  const { count, remainingMs } = attempts;
  if (signal?.aborted)
    return new AbortError(
      "abort",
      `${operation} was aborted by the signal of the caller.`,
      { operation, attempts: count },
      copyCause(signal.reason, secrets),
    );
  const fields = { operation, attempts: count, retryable: !isMistake(error) };
  const times = `${count} ${count === 1 ? "attempt" : "attempts"}`;
  if (isTimeoutError(error)) {
    const limit = remainingMs <= 1 ? `${totalTimeoutMs} ms in total` : `${timeoutMs} ms`;
    return new TimeoutError("timeout", `${operation} did not complete within ${limit} (${times}).`, fields);
  }
  return new ConnectionError(
    "connection",
    `${operation} got no complete response: ${explain(error, request)} (${times}).`,
    fields,
    copyCause(failureOfFetch(error), secrets),
  );
}

/** Whether the address is wrong, or the service not what it says: no retry will find another one there. */
export function isMistake(error: unknown): boolean {
  return mistakes.test(codeOf(faultOf(error)));
}

// No such host; an answer that is not TLS, or in another version; a certificate that is not valid for the address.
const mistakes = /^ENOTFOUND$|^EPROTO$|^ERR_SSL_|CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/;

/** The messages of the platform do not say what to do. */
function explain(error: unknown, { url, secrets }: OutgoingRequest): string {
  const fault = faultOf(error);
  const code = codeOf(fault);
  if (code === "ENOTFOUND") return `there is no host ${new URL(url).hostname}. Check baseUrl`;
  if (/^ERR_SSL_|^EPROTO$/.test(code))
    return `the TLS handshake failed (${code}). If the server expects plain HTTP, baseUrl begins with http://`;
  const message = copyCause(fault, secrets).message;
  // A server that expects TLS closes the connection, as one does that is stopped.
  return code === "UND_ERR_SOCKET" && url.startsWith("http:")
    ? `${message}. If the server expects TLS, baseUrl begins with https://`
    : message;
}

/** The error of `fetch`. Ky's error and that of the attempt wrap it. */
function failureOfFetch(error: unknown): unknown {
  const wrapped = isNetworkError(error) && error.cause instanceof Error ? error.cause : error;
  return wrapped instanceof Error && wrapped.cause !== undefined ? wrapped.cause : error;
}

/** What went wrong below `fetch`, where that says it. */
function faultOf(error: unknown): Error {
  const failure = failureOfFetch(error);
  const { cause } = Object(failure);
  if (cause instanceof Error) return cause;
  return failure instanceof Error ? failure : new Error(String(failure));
}

function codeOf(fault: Error): string {
  return "code" in fault ? String(fault.code) : "";
}
