import { type AuditSetting, errors } from "@madang/contract";
import type { ErrorRequestHandler } from "express";
import { localsOf } from "../../http/locals";
import { findAuditHeaders } from "../../http/request/audit-headers";
import { toServiceError } from "../../http/response/send-errors";
import type { KeyMaker } from "../../security/secret";
import { describeRequest, isRecorded } from "./entry";

export interface AuditDeps {
  readonly audit: AuditSetting;
  readonly keyMaker: Pick<KeyMaker, "mask">;
  /** Writes an entry outside the transaction of a change. */
  readonly addEntry: (entry: string) => Promise<void>;
}

/**
 * Writes the entries of rejected requests, before `sendErrors` responds. Server errors, timeouts and rate limits have no entry.
 */
export function recordRejections(deps: AuditDeps): ErrorRequestHandler {
  return async (thrown, request, response, next) => {
    const { caller, operation, params = {} } = localsOf(response);
    if (caller === undefined || operation === undefined) return next(thrown);
    request.params = params;
    const { code } = toServiceError(thrown);
    const { status } = errors[code];
    const mayBeRecorded = caller.console !== undefined || operation.route.method === "GET";
    if (isUnhandled(status) || !mayBeRecorded || !isRecorded(deps.audit, operation, caller))
      return next(thrown);
    const headers = findAuditHeaders(request, deps.keyMaker);
    try {
      await deps.addEntry(describeRequest({ operation, caller, request, headers }, { status, code }));
      next(thrown);
    } catch (error) {
      next(error);
    }
  };
}

const isUnhandled = (status: number) => status >= 500 || status === 429 || status === 408;
