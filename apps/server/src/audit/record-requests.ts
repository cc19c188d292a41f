import { type AuditSetting, errors } from "@madang/contract";
import type { ErrorRequestHandler, Request, Response } from "express";
import { localsOf } from "../http/caller";
import { requireOperation } from "../http/operation";
import { toServiceError } from "../http/send-errors";
import type { KeyMaker } from "../security/secret";
import { findCallerHeaders, requireCallerHeaders } from "./caller-headers";
import { acceptedStatusOf, describeRequest, isRecorded, isRejectionRecorded } from "./entry";

export interface AuditDeps {
  /** What is recorded. */
  readonly audit: AuditSetting;
  readonly keyMaker: Pick<KeyMaker, "mask">;
  /** Writes an entry that belongs to no change. */
  readonly writeEntry: (entry: string) => Promise<void>;
}

/** The entry of a request that changes data. Whoever writes the change writes it too. */
export interface Recording {
  /** As JSON. */
  readonly entry: string;
  /** Whether it was committed with a change. */
  isWritten: boolean;
}

/** The recording of each request that changes data and is recorded, by its response. */
export const recordings = new WeakMap<object, Recording>();

type Call = { readonly req: Request; readonly res: Response };
type Handler = (call: Call) => Promise<{ readonly status: number }>;
interface Handlers {
  readonly [name: string]: Handler | Handlers;
}

/**
 * Wraps the handlers of all operations, so that each request has the entry that the setting promises. The entry of a change
 * is written by its transaction; see `Writer`. An accepted request that had nothing to change, and a read, get theirs before
 * the response is sent. A request that only gets the stored result of an earlier one has none.
 */
export function recordRequests<Router>(deps: AuditDeps, router: Router): Router {
  const wrap = (handlers: Handlers): Handlers =>
    Object.fromEntries(
      Object.entries(handlers).map(([name, entry]) => [
        name,
        typeof entry === "function" ? (call: Call) => record(deps, entry, call) : wrap(entry),
      ]),
    );
  // The handlers are typed where they are defined; here only that they are functions matters.
  return wrap(router as Handlers) as Router;
}

async function record(deps: AuditDeps, handler: Handler, call: Call) {
  const { req: request, res: response } = call;
  const headers = requireCallerHeaders(request, deps.keyMaker);
  const operation = requireOperation(request);
  const { caller } = localsOf(response);
  if (caller === undefined) throw new Error("The request was not authenticated.");
  if (!isRecorded(deps.audit, operation, caller)) return handler(call);
  const status = acceptedStatusOf(operation);
  const recording = {
    entry: describeRequest({ operation, caller, request, headers }, { status }),
    isWritten: false,
  };
  if (operation.route.method !== "GET") recordings.set(response, recording);
  const result = await handler(call);
  const isReplayed = response.hasHeader("Idempotent-Replayed");
  if (!recording.isWritten && !isReplayed) await deps.writeEntry(recording.entry);
  return result;
}

/**
 * Writes the entries of rejected requests, before `sendErrors` responds. What the server could not handle, or did not because
 * of a rate limit, has no entry.
 */
export function recordRejections(deps: AuditDeps): ErrorRequestHandler {
  return async (thrown, request, response, next) => {
    const { caller, operation: name } = localsOf(response);
    if (caller === undefined || name === undefined) return next(thrown);
    const operation = requireOperation(request);
    const { code } = toServiceError(thrown);
    const { status } = errors[code];
    if (isUnhandled(status) || !isRejectionRecorded(deps.audit, operation, caller)) return next(thrown);
    const headers = findCallerHeaders(request, deps.keyMaker);
    try {
      await deps.writeEntry(describeRequest({ operation, caller, request, headers }, { status, code }));
      next(thrown);
    } catch (error) {
      next(error);
    }
  };
}

const isUnhandled = (status: number) => status >= 500 || status === 429 || status === 408;
