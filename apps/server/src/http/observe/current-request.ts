import { AsyncLocalStorage } from "node:async_hooks";
import type { Response } from "express";
import type { Caller } from "../auth/caller";
import { type Locals, localsOf } from "../locals";

const current = new AsyncLocalStorage<Locals>();

/** Runs a request, for which `describeCurrentRequest` then describes what it does. */
export function runRequest(response: Response, run: () => void): void {
  current.run(localsOf(response), run);
}

/** The request for which something happens, as log lines name it. Empty in the background; of a batch, it is the request that began it. */
export function describeCurrentRequest(): object {
  const locals = current.getStore();
  return locals === undefined ? {} : { request_id: locals.requestId, ...describeCaller(locals.caller) };
}

/** A caller as log lines name it. */
export const describeCaller = (caller: Caller | undefined): object => ({
  ...(caller && { caller: caller.kind }),
  ...(caller !== undefined && caller.kind !== "master" && { key_id: caller.id, key_label: caller.label }),
  ...(caller?.kind === "user" && { acting_user_id: caller.userId }),
});
