import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "@opentelemetry/api";

const current = new AsyncLocalStorage<readonly Span[]>();

/** The spans of the requests for which the code runs now: several in a batch, none in a background task. */
export const currentSpans = (): readonly Span[] => current.getStore() ?? [];

/** Runs work for these requests, so that its statements are in their traces. */
export function runInSpans<Result>(spans: readonly Span[], work: () => Result): Result {
  return spans.length === 0 && currentSpans().length === 0 ? work() : current.run(spans, work);
}
