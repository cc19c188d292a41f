import ky, { isNetworkError, isTimeoutError, TimeoutError } from "ky";
import { type AttemptDeps, Attempts } from "./attempt";
import { createFailure } from "./failure";
import type { OutgoingRequest } from "./request";
import type { ReceivedResponse } from "./response";
import { isGatewayFailure, isRetryable, RetryRules, retryableStatuses } from "./retry-rules";
import { linkSignal } from "./signals";

export interface TransportDeps extends AttemptDeps {
  readonly maxRetryAfter: number;
}

/** Sends a request until there is a response to keep. */
export type Send = typeof send;

/**
 * Sends a request until there is a response to keep, and returns it whatever its status. Ky takes over when the first
 * attempt fails: creating its requests costs as much as the rest of a call. It decides which failures are retried, and
 * cares for backoff with jitter, `Retry-After`, the total time and aborts. What its rules do not cover:
 * - A body belongs to its attempt: `Attempts` reads it whole, so that one that breaks off or stalls is retried.
 * - Ky gets no key and no body, so that nothing it throws can show one. Of a response it sees the status and `Retry-After`.
 * - A wait longer than the caller allows, or a conflict that does not say how long to wait, ends the call: `isFinal`.
 * - A service that cannot be reached is retried for a time, and not a number of times: `RetryRules`.
 * - A rejected key is replaced within the attempt and costs no retry.
 * - Each call has a signal of its own, because ky leaves a little memory behind on every signal that it is given.
 */
export async function send(request: OutgoingRequest, deps: TransportDeps): Promise<ReceivedResponse> {
  const attempts = new Attempts(request, deps);
  const first = sendInTime(attempts, request);
  try {
    const response = await first;
    if (!isRetryable(response)) return response;
  } catch {}
  return sendAgain(attempts, first, request, deps);
}

/** One attempt, which ends with the caller's signal and after its time. */
async function sendInTime(attempts: Attempts, request: OutgoingRequest): Promise<ReceivedResponse> {
  const { url, timeout, signal } = request;
  const controller = new AbortController();
  const unlink = linkSignal(signal, controller);
  const end = () => controller.abort(new TimeoutError(new Request(url)));
  const timer = setTimeout(end, Math.min(timeout, attempts.remainingMs));
  try {
    controller.signal.throwIfAborted();
    return await attempts.send(controller.signal);
  } finally {
    clearTimeout(timer);
    unlink();
  }
}

/** Continues after the first attempt, whose outcome is the first that ky sees. */
async function sendAgain(
  attempts: Attempts,
  first: Promise<ReceivedResponse>,
  request: OutgoingRequest,
  deps: TransportDeps,
): Promise<ReceivedResponse> {
  const { method, url, totalTimeout, signal } = request;
  const rules = new RetryRules(request);
  const caller = new AbortController();
  const unlink = linkSignal(signal, caller);
  let next: Promise<ReceivedResponse> | undefined = first;
  let failedAtMs = 0;
  let failure: unknown;

  const isFinal = (response: ReceivedResponse): boolean => {
    const { retryAfterMs = 0 } = response;
    return (
      !isRetryable(response) || retryAfterMs > deps.maxRetryAfter || retryAfterMs >= attempts.remainingMs
    );
  };

  const allowRetry = (error: Error): boolean | undefined => {
    failedAtMs = attempts.elapsedMs;
    const { response } = attempts;
    if (response && isFinal(response)) return false;
    const isUnreachable = response ? isGatewayFailure(response) : isNetworkError(error) && !attempts.hasHead;
    // Ky decides about errors that are no failures of a request.
    return rules.allowRetry(isUnreachable, failedAtMs) ? undefined : false;
  };

  try {
    await ky(url, {
      method,
      timeout: false,
      totalTimeout: totalTimeout !== undefined && attempts.remainingMs,
      signal: caller.signal,
      fetch: async () => {
        const sent = next ?? sendInTime(attempts, request);
        next = undefined;
        const { status, headers } = await sent;
        const retryAfter = headers.get("retry-after");
        return new Response(null, {
          status,
          ...(retryAfter !== null && { headers: { "retry-after": retryAfter } }),
        });
      },
      retry: {
        // The rules end the call.
        limit: Number.MAX_SAFE_INTEGER,
        methods: ["get", "post", "put", "delete"],
        statusCodes: retryableStatuses,
        afterStatusCodes: retryableStatuses,
        retryOnTimeout: true,
        delay: () => rules.maxPauseMs,
        jitter: true,
        shouldRetry: ({ error }) => allowRetry(error),
      },
      hooks: {
        beforeRetry: [
          ({ error }) => {
            const status = attempts.response?.status;
            const reason = status ?? (isTimeoutError(error) ? "timeout" : "connection");
            const waitedMs = attempts.elapsedMs - failedAtMs;
            deps.observer.retry({ ...attempts.event, waitedMs, reason: String(reason) });
            // These two statuses say that the request was not handled.
            if (status !== 408 && status !== 429) attempts.mayAlreadyBeDone = true;
          },
        ],
      },
    });
  } catch (error) {
    failure = error;
  } finally {
    unlink();
  }
  const { response } = attempts;
  if (!response || (failure && signal?.aborted)) throw createFailure(failure, request, attempts);
  return response;
}
