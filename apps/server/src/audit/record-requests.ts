import { type AuditSetting, errors } from "@madang/contract";
import type { ErrorRequestHandler } from "express";
import { localsOf } from "../http/locals";
import type { Handler } from "../http/map-handlers";
import { requireOperation } from "../http/request/operation";
import { toServiceError } from "../http/response/send-errors";
import type { KeyMaker } from "../security/secret";
import { findCallerHeaders, requireCallerHeaders } from "./caller-headers";
import { describeRequest, isRecorded, isRejectionRecorded } from "./entry";

export interface AuditDeps {
  readonly audit: AuditSetting;
  readonly keyMaker: Pick<KeyMaker, "mask">;
  /** Queues an entry outside the transaction of a change. */
  readonly queueEntry: (entry: string) => Promise<void>;
}

/** The entry of a request that changes data. The writer of the change stores it too. */
export interface Recording {
  /** JSON. */
  readonly entry: string;
  /** Whether the entry was committed with a change. */
  isWritten: boolean;
}

/** The recordings of the current requests, by response. */
export const recordings = new WeakMap<object, Recording>();

/**
 * Wraps a handler to write the audit entry of each request. The transaction of a change writes the entry of the change (see
 * `Writer`). For reads, and for accepted requests that changed nothing, the entry is written before the response is sent. A
 * request that gets the stored result of an earlier one has no entry.
 */
export function recordRequests(deps: AuditDeps): (handler: Handler) => Handler {
  return (handler) => async (call) => {
    const { req: request, res: response } = call;
    const headers = requireCallerHeaders(request, deps.keyMaker);
    const operation = requireOperation(request);
    const { caller } = localsOf(response);
    if (caller === undefined) throw new Error("The request was not authenticated.");
    if (!isRecorded(deps.audit, operation, caller)) return handler(call);
    const recording = {
      entry: describeRequest({ operation, caller, request, headers }, { status: operation.acceptedStatus }),
      isWritten: false,
    };
    if (operation.route.method !== "GET") recordings.set(response, recording);
    const result = await handler(call);
    const isReplayed = response.hasHeader("Idempotent-Replayed");
    if (!recording.isWritten && !isReplayed) await deps.queueEntry(recording.entry);
    return result;
  };
}

/**
 * Writes the entries of rejected requests, before `sendErrors` responds. Server errors, timeouts and rate limits have no entry.
 */
export function recordRejections(deps: AuditDeps): ErrorRequestHandler {
  return async (thrown, request, response, next) => {
    const { caller, operation: name, params = {} } = localsOf(response);
    if (caller === undefined || name === undefined) return next(thrown);
    request.params = params;
    const operation = requireOperation(request);
    const { code } = toServiceError(thrown);
    const { status } = errors[code];
    if (isUnhandled(status) || !isRejectionRecorded(deps.audit, operation, caller)) return next(thrown);
    const headers = findCallerHeaders(request, deps.keyMaker);
    try {
      await deps.queueEntry(describeRequest({ operation, caller, request, headers }, { status, code }));
      next(thrown);
    } catch (error) {
      next(error);
    }
  };
}

const isUnhandled = (status: number) => status >= 500 || status === 429 || status === 408;
