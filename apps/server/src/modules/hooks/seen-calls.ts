import { limits } from "@madang/contract";
import type { HookCall, SeenCalls } from "./store";

/** Collects the outcomes of calls, and stores the latest ones once a second, to find the cause of failures. */
export interface CallLog {
  add(hookPk: number, call: HookCall, pausedUntil?: number): void;
  /** Stores what is left, after what is being stored. */
  close(): Promise<void>;
}

const intervalMs = 1_000;

export function createCallLog(store: (hookPk: number, seen: SeenCalls) => Promise<void>): CallLog {
  let seen = new Map<number, SeenByOutcome>();
  let timer: NodeJS.Timeout | undefined;
  let storing = Promise.resolve();
  const flush = () => {
    timer = undefined;
    storing = storing.then(storeAll);
    return storing;
  };
  const storeAll = async () => {
    const stored = seen;
    seen = new Map();
    for (const [pk, { calls, pausedUntil }] of stored)
      await store(pk, { calls: [...calls.values()].flat().reverse(), pausedUntil });
  };
  return {
    add(hookPk, call, pausedUntil) {
      const { calls, ...earlier } = seen.get(hookPk) ?? { calls: new Map(), pausedUntil: undefined };
      const latest = calls.get(call.outcome) ?? [];
      latest.push(call);
      if (latest.length > limits.hookAttempts) latest.shift();
      calls.set(call.outcome, latest);
      seen.set(hookPk, { calls, pausedUntil: pausedUntil ?? earlier.pausedUntil });
      timer ??= setTimeout(() => void flush(), intervalMs).unref();
    },
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}

interface SeenByOutcome extends Omit<SeenCalls, "calls"> {
  readonly calls: Map<string, HookCall[]>;
}
