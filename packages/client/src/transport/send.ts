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
    let failedAtMs = 0;
    let failure: unknown;

    /** Whether ky may retry: it still decides whether this error is one of the network. */
    const mayRetry = (error: Error, retry: number): boolean => {
      failedAtMs = attempts.elapsedMs;
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
        // Ky always passes a Request, of which only the signal is used, and needs no more of the response than its status: with the headers, it
        // would also wait for those with which gateways announce rate limits.
        fetch: async (outgoing) => {
          const { status } = await attempts.send((outgoing as Request).signal);
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
