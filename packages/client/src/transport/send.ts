import ky, { isNetworkError, isTimeoutError } from "ky";
import { isDefect } from "../errors/fetch-failure";
import { linkSignal } from "../platform";
import { createApiError, isSlowMode } from "./api-error";
import { type AttemptDeps, Attempts } from "./attempt";
import { createFailure, isMistake } from "./failure";
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
  return async (request) => {
    const { method, url, timeoutMs, totalTimeoutMs, signal } = request;
    const attempts = new Attempts(request, deps);
    const rules = new RetryRules(request);
    // The signal of the caller may outlive many calls. Ky 2.1.0 follows it by `AbortSignal.any`, for which Node keeps an entry on
    // it for as long as it lives. So ky gets a signal of this call, which is linked by a listener that is removed.
    const controller = signal && new AbortController();
    const unlink = controller && linkSignal(signal, controller);
    // Aborts the current attempt. The signal of ky's requests is not used: from the second on they are clones, which Node no
    // longer aborts after a garbage collection.
    let attempt: AbortController | undefined;
    let retry: { readonly error: Error; readonly pauseMs: number } | undefined;
    let failure: unknown;

    /** The pause before the next attempt, or undefined if this failure is final. */
    const nextPauseMs = (error: Error, retryCount: number): number | undefined => {
      const { response, hasHead, elapsedMs, remainingMs } = attempts;
      if (response ? !isRetryable(response) || isSlowMode(response) : isMistake(error)) return undefined;
      const isUnreachable = response ? isGatewayFailure(response) : isNetworkError(error) && !hasHead;
      const ownPauseMs = rules.nextPauseMs(retryCount, isUnreachable, elapsedMs);
      const retryAfterMs = response?.retryAfterMs;
      if (ownPauseMs === undefined || retryAfterMs === undefined) return ownPauseMs;
      return retryAfterMs <= deps.maxRetryAfterMs && retryAfterMs < remainingMs ? retryAfterMs : undefined;
    };

    const reportRetry = ({ error, pauseMs }: NonNullable<typeof retry>): void => {
      const { response, event } = attempts;
      const reason = response?.status ?? (isTimeoutError(error) ? "timeout" : "connection");
      deps.observer.retry({ ...event, waitedMs: pauseMs, reason: String(reason) });
    };

    try {
      // All options at once, and no hooks: for each call, ky merges those of an instance, and hooks twice.
      await ky(url, {
        method,
        timeout: timeoutMs,
        totalTimeout: totalTimeoutMs ?? false,
        ...(controller && { signal: controller.signal }),
        fetch: async () => {
          if (retry !== undefined) reportRetry(retry);
          attempt = new AbortController();
          const unlinkAttempt = linkSignal(signal, attempt);
          const { status } = await attempts.send(attempt.signal).finally(unlinkAttempt);
          // Ky needs no more than the status: with the headers, it would also wait for those with which gateways announce rate limits.
          return new Response(null, { status });
        },
        retry: {
          limit: rules.limit,
          methods: ["get", "post", "put", "delete"],
          statusCodes: retryableStatuses,
          retryOnTimeout: true,
          shouldRetry: ({ error, retryCount }) => {
            attempt?.abort();
            const pauseMs = nextPauseMs(error, retryCount);
            if (pauseMs === undefined) return false;
            retry = { error, pauseMs };
            // Ky still decides whether this error is one of the network.
            return undefined;
          },
          // Ky asks for it right after `shouldRetry`.
          delay: () => retry?.pauseMs ?? 0,
        },
      });
    } catch (error) {
      failure = error;
      attempt?.abort();
    } finally {
      unlink?.();
    }
    const { response } = attempts;
    if (!response || (failure && signal?.aborted) || isDefect(failure))
      throw createFailure(failure, request, attempts);
    // Also when the time for the call ended in the wait after this response.
    if (failure) throw createApiError(response);
    return response;
  };
}
