import type { ClientOptions, RequestEvent, ResponseEvent, RetryEvent } from "./options";

type Observers = Pick<ClientOptions, "onRequest" | "onResponse" | "onRetry" | "debug">;

export interface Observer {
  request(event: RequestEvent): void;
  response(event: ResponseEvent): void;
  retry(event: RetryEvent): void;
}

/** Tells the observers and the debug log. One that throws must not fail the call that it watches. */
export function createObserver({ onRequest, onResponse, onRetry, debug }: Observers): Observer {
  const tell = <Event extends RequestEvent>(
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
    request: (event) => tell(onRequest, event, "sent"),
    response: (event) =>
      tell(onResponse, event, `${event.status} in ${Math.round(event.durationMs)} ms, ${event.requestId}`),
    retry: (event) => tell(onRetry, event, `${event.reason}, again in ${Math.round(event.delayMs)} ms`),
  };
}
