import ky, { isNetworkError, isTimeoutError } from "ky";
import { createApiError } from "../errors/api-error";
import { createFailure } from "../errors/failure";
import { linkSignal } from "../platform";
import { type AttemptDeps, Attempts } from "./attempt";
import type { OutgoingRequest } from "./request";
import type { ReceivedResponse } from "./response";
import { isGatewayFailure, isRetryable, RetryRules, retryableStatuses } from "./retries";

export interface TransportDeps extends AttemptDeps {
  readonly maxRetryAfterMs: number;
}

/** Sends a request until it succeeds, and returns the response. Throws a `ChatError`. */
export type Send = (request: OutgoingRequest) => Promise<ReceivedResponse>;

/**
 * Ky sends every attempt, and applies timeouts, pauses, the limit of retries and aborts. Its `fetch` sends the request with a key and reads
 * the whole body, so that a body that breaks off or stalls fails its attempt.
 */
export function createSend(deps: TransportDeps): Send {
  const http = ky.create({
    retry: {
      methods: ["get", "post", "put", "delete"],
      statusCodes: retryableStatuses,
      retryOnTimeout: true,
    },
  });

  return async (request) => {
    const { method, url, timeoutMs, totalTimeoutMs, signal } = request;
    const attempts = new Attempts(request, deps);
    const rules = new RetryRules(request);
    // Ky leaves a little memory behind on every signal that it is given, so each call gives it one of its own.
    const controller = new AbortController();
    const unlink = linkSignal(signal, controller);
    // Aborts the current attempt. The signal of ky's requests is not used: from the second on they are clones, which Node no
    // longer aborts after a garbage collection.
    let attempt = new AbortController();
    let failedAtMs = 0;
    let failure: unknown;

    /** Whether ky may retry: it still decides whether this error is one of the network. */
    const mayRetry = (error: Error, retry: number): boolean => {
      failedAtMs = attempts.elapsedMs;
      attempt.abort();
      const { response, hasHead, remainingMs } = attempts;
      const { retryAfterMs = 0 } = response ?? {};
      if (response && !isRetryable(response)) return false;
      if (retryAfterMs > deps.maxRetryAfterMs || retryAfterMs >= remainingMs) return false;
      const isUnreachable = response ? isGatewayFailure(response) : isNetworkError(error) && !hasHead;
      return rules.allowRetry(retry, isUnreachable, failedAtMs);
    };

    const reportRetry = (error: Error): void => {
      const { response, event, elapsedMs } = attempts;
      const reason = response?.status ?? (isTimeoutError(error) ? "timeout" : "connection");
      deps.observer.retry({ ...event, waitedMs: elapsedMs - failedAtMs, reason: String(reason) });
    };

    try {
      await http(url, {
        method,
        timeout: timeoutMs,
        totalTimeout: totalTimeoutMs ?? false,
        ...(signal && { signal: controller.signal }),
        fetch: async () => {
          attempt = new AbortController();
          const unlinkAttempt = linkSignal(signal, attempt);
          const { status } = await attempts.send(attempt.signal).finally(unlinkAttempt);
          // Ky needs no more than the status: with the headers, it would also wait for those with which gateways announce rate limits.
          return new Response(null, { status });
        },
        retry: {
          limit: rules.limit,
          delay: () => attempts.response?.retryAfterMs ?? Math.random() * rules.maxPauseMs,
          shouldRetry: ({ error, retryCount }) => (mayRetry(error, retryCount) ? undefined : false),
        },
        hooks: { beforeRetry: [({ error }) => reportRetry(error)] },
      });
    } catch (error) {
      failure = error;
      attempt.abort();
    } finally {
      unlink();
    }
    const { response } = attempts;
    if (!response || (failure && signal?.aborted)) throw createFailure(failure, request, attempts);
    // Also when the time for the call ended in the wait after this response.
    if (failure) throw createApiError(response);
    return response;
  };
}
