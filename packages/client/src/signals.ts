import type { Signal } from "./platform";

// Listeners that are taken off again, and no AbortSignal.any: it costs ten times as much, and on a signal that lives as
// long as the program it leaves a little behind with every call.

/** One signal that follows two, until `leave` is called. */
export function joinSignals(one: AbortSignal, other: Signal): { signal: AbortSignal; leave(): void } {
  const controller = new AbortController();
  const leaveOne = onAbort(one, () => controller.abort(one.reason));
  const leaveOther = onAbort(other, () => controller.abort(other.reason));
  return {
    signal: controller.signal,
    leave() {
      leaveOne();
      leaveOther();
    },
  };
}

/** Fails when the signal ends; until then it waits for the work, which may pay no heed to the signal. */
export function raceSignal<Value>(work: Promise<Value>, signal: Signal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}

/** Waits, and less long when the signal ends. */
export function pause(ms: number, signal: Signal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(end, ms);
    const leave = signal && onAbort(signal, end);
    function end() {
      clearTimeout(timer);
      leave?.();
      resolve();
    }
  });
}

function onAbort(signal: Signal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}
