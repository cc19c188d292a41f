import type { Signal } from "./platform";

// Listeners that are removed again instead of `AbortSignal.any`, which leaves a little memory behind on a signal that
// lives as long as the program.

/** Aborts a controller when a signal is aborted, if there is one, until the returned function is called. */
export function linkSignal(signal: Signal | undefined, controller: AbortController): () => void {
  return signal ? onAbort(signal, () => controller.abort(signal.reason)) : () => undefined;
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
