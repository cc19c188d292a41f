import { limits } from "@madang/contract";
import type { Db } from "../../db/db";
import { keepFresh } from "../../security/keep-fresh";
import type { KeyMaker } from "../../security/secret";
import { Resource } from "../../turns/resource";
import { Breaker } from "./breaker";
import { listStoredHooks, type StoredHook } from "./store";

/** A hook as a process calls it. */
export interface Hook extends Pick<StoredHook, "pk" | "hookId" | "url" | "timeoutMs"> {
  readonly rejectsOnFailure: boolean;
  /** The secrets that sign requests at this time. */
  readonly secretsAt: (now: number) => readonly string[];
  /** The calls in progress. */
  readonly calls: Resource;
  readonly breaker: Breaker;
}

export type HookedOperation = "messages.send" | "messages.update";

/** The hooks of all processes. A change of another process is known within half a second. */
export interface HookSet {
  /** Those that check an operation, in the order in which they were created. */
  listFor(operation: HookedOperation, isByUser: boolean): Promise<readonly Hook[]>;
  /** All that this process knows of now. */
  known(): readonly Hook[];
  /** Reads them again before the next check: this process changed one. */
  forget(): void;
}

interface Entry {
  readonly stored: StoredHook;
  readonly hook: Hook;
}

const freshForMs = 500;

/** One user cannot take all calls of a slow hook. */
export const callsOfUserAtOnce = limits.hookCallsAtOnce / 4;

export const openCalls = (): Resource =>
  new Resource({
    name: "hooks",
    what: "messages that a hook checks",
    total: limits.hookCallsAtOnce,
    keptForKeys: 0,
    maxOf: ({ kind }) => (kind === "user" ? callsOfUserAtOnce : limits.hookCallsAtOnce),
  });

/** Reads hooks when messages are checked. Secrets are decrypted only for hooks that have changed. */
export function createHookSet(db: Db, keyMaker: KeyMaker, monotonicNow: () => number): HookSet {
  let known: readonly Entry[] = [];
  const load = async () => {
    known = await Promise.all((await listStoredHooks(db, keyMaker)).map(open));
    return known;
  };
  const open = async (stored: StoredHook): Promise<Entry> => {
    const entry = known.find(({ stored: { pk } }) => pk === stored.pk);
    if (entry?.stored.updatedAt === stored.updatedAt) return entry;
    const { pk, hookId, url, timeoutMs, onFailure, sealed, previousSealed, previousSecretUntil } = stored;
    const openSecret = (text: string) => keyMaker.open(Buffer.from(text, "base64"));
    const secret = await openSecret(sealed);
    const previous = previousSealed === null ? undefined : await openSecret(previousSealed);
    const secretsAt = (now: number) =>
      previous !== undefined && (previousSecretUntil ?? 0) > now ? [secret, previous] : [secret];
    const hook = {
      pk,
      hookId,
      url,
      timeoutMs,
      rejectsOnFailure: onFailure === "reject",
      secretsAt,
      // Calls in progress still count. A changed hook may work again, so its failures are forgotten.
      calls: entry?.hook.calls ?? openCalls(),
      breaker: new Breaker(monotonicNow),
    };
    return { stored, hook };
  };
  const hooks = keepFresh(load, monotonicNow);
  return {
    async listFor(operation, isByUser) {
      const entries = await hooks.since(monotonicNow() - freshForMs);
      return entries
        .filter(({ stored: { operations, callers } }) => {
          return operations.includes(operation) && (callers === "all" || isByUser);
        })
        .map(({ hook }) => hook);
    },
    known: () => known.map(({ hook }) => hook),
    forget: hooks.forget,
  };
}
