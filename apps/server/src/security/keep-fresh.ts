import { runAsService } from "../turns/client";

/** The newest result of a query, which is sent again when the result is too old. */
export interface Fresh<Value> {
  /** A result whose query was sent at this time or later, and after the last call of `forget`. */
  since(time: number): Promise<Value>;
  /** For later callers, the result of an earlier query is not sufficient: this process changed something. */
  forget(): void;
}

/** One query runs at a time, for all who wait. Its result is as old as the query. The clock is monotonic, in milliseconds. */
export function keepFresh<Value>(load: () => Promise<Value>, monotonicNow: () => number): Fresh<Value> {
  let latest: { readonly value: Value; readonly sentAt: number } | undefined;
  let running: Promise<void> | undefined;
  let validSince = Number.NEGATIVE_INFINITY;

  const reload = async () => {
    const sentAt = monotonicNow();
    latest = { value: await load(), sentAt };
  };

  return {
    async since(time) {
      const oldest = Math.max(time, validSince);
      while (latest === undefined || latest.sentAt < oldest) {
        running ??= runAsService(reload).finally(() => {
          running = undefined;
        });
        await running;
      }
      return latest.value;
    },
    forget() {
      latest = undefined;
      // Nor is the result of a query that runs now.
      validSince = monotonicNow();
    },
  };
}
