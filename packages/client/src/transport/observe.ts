import type { ClientOptions, RequestEvent, ResponseEvent, RetryEvent } from "../options";

type Observers = Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry" | "debug">;

export interface Observer {
  request(event: RequestEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
}

/** Notifies the observers and writes the debug log. An observer that throws does not fail the call. */
export function createObserver({ onRequest, onResponse, onRetry, debug }: Observers): Observer {
  const notify = <Event extends RequestEvent>(
    listener: ((event: Event) => void) | undefined,
    event: Event,
    outcome: string,
  ) => {
    try {
      listener?.(event);
      debug?.(`madang ${event.operation} ${event.method} ${event.url} #${event.attempt} ${outcome}`);
    } catch {}
  };
  return {
    request: (event) => notify(onRequest, event, "sent"),
    response: (event) =>
      notify(onResponse, event, `${event.status} in ${Math.round(event.durationMs)} ms, ${event.requestId}`),
    retry: (event) =>
      notify(onRetry, event, `${event.reason}, retried after ${Math.round(event.waitedMs)} ms`),
  };
}
