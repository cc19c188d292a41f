import type { Signal } from "./platform";

// Listeners that are removed again instead of `AbortSignal.any`, which leaves a little memory behind on a signal that
// lives as long as the program.

/** A new signal that follows another one until `leave` is called. */
export function followSignal(signal: Signal): { signal: AbortSignal; leave(): void } {
  const { controller, leave } = createLinkedController(signal);
  return { signal: controller.signal, leave };
}

/** A controller that is also aborted by a signal, if there is one, until `leave` is called. */
export function createLinkedController(signal?: Signal): { controller: AbortController; leave(): void } {
  const controller = new AbortController();
  const leave = signal ? onAbort(signal, () => controller.abort(signal.reason)) : () => undefined;
  return { controller, leave };
}

/** Waits for work that may ignore its signal; rejects as soon as the signal is aborted. */
export function raceSignal<Value>(work: Promise<Value>, signal: Signal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(leave);
  });
}

function onAbort(signal: Signal, listener: () => void): () => void {
  if (signal.aborted) listener();
  signal.addEventListener("abort", listener);
  return () => signal.removeEventListener("abort", listener);
}
