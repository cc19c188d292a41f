import ky from "ky";
import { type Answer, Attempts, type Exchange, type TransportDeps } from "./attempts";
import { raceSignal } from "./signals";

/**
 * Sends a request until there is an answer to keep. Ky runs the attempts under their time limits. It sees neither key
 * nor body, so nothing that it throws can show them; and the `fetch` that it is given reads the whole body, so that one
 * that breaks or stalls is a failed attempt on every runtime.
 */
export async function send(exchange: Exchange, deps: TransportDeps): Promise<Answer> {
  const { method, url, signal, maxRetries, timeout, totalTimeout } = exchange;
  const attempts = new Attempts(exchange, deps);
  if (signal?.aborted) throw attempts.explain(signal.reason, true);
  try {
    const sending = ky(url, {
      method,
      timeout,
      totalTimeout: totalTimeout ?? false,
      // Ky hands over the request that it made, whose signal ends with the attempt.
      fetch: (request) => attempts.run((request as Request).signal),
      retry: {
        // One more than the caller wants: asking again with a renewed key repeats no failure.
        limit: maxRetries + 1,
        methods: [methods[method]],
        // Decides, and waits as long as it has to.
        shouldRetry: () => attempts.prepareNext(),
        delay: () => 0,
        backoffLimit: 0,
      },
    });
    await (signal ? raceSignal(sending, signal) : sending);
  } catch (error) {
    if (signal?.aborted) throw attempts.explain(error, true);
    if (!attempts.answer) throw attempts.explain(error, false);
  }
  if (!attempts.answer) throw attempts.explain(undefined, false);
  return attempts.answer;
}

const methods = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;
