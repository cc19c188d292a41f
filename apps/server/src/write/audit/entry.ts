import { type AuditSetting, auditLevelOf, type ErrorCode, type IdField, isAudited } from "@madang/contract";
import type { Request } from "express";
import type { Caller } from "../../http/auth/caller";
import type { AuditHeaders } from "../../http/request/audit-headers";
import type { AnyOperation } from "../../http/request/operation";

/** Whether an accepted request has an audit entry. */
export function isRecorded(setting: AuditSetting, operation: AnyOperation, caller: Caller): boolean {
  if (setting === "off") return false;
  if (caller.console !== undefined) return auditLevelOf(operation) !== "never";
  return isAudited(setting, operation);
}

export interface Outcome {
  readonly status: number;
  readonly code?: ErrorCode;
}

interface RecordedRequest {
  readonly operation: Pick<AnyOperation, "id" | "variantOf" | "idFields">;
  readonly caller: Caller;
  readonly request: Pick<Request, "method" | "ip" | "params" | "query" | "body">;
  readonly headers: AuditHeaders;
}

/** The entry as JSON. It contains ids only: no content, names, metadata or keys. */
export function describeRequest(
  { operation, caller, request, headers }: RecordedRequest,
  { status, code }: Outcome,
): string {
  // A client with a token could name anybody.
  const isToken = caller.kind === "user" && caller.token !== undefined;
  const { actor, reason }: AuditHeaders = isToken ? {} : headers;
  return JSON.stringify({
    operation: operation.variantOf ?? operation.id,
    method: request.method,
    status,
    code,
    kind: caller.console === undefined ? caller.kind : "console",
    key_id: caller.kind === "master" ? undefined : caller.id,
    acting_user_id: caller.kind === "user" ? caller.userId : undefined,
    actor: caller.console?.actor ?? actor,
    reason,
    address: request.ip ?? "",
    ...findIds(operation.idFields, { path: request.params, query: request.query, body: request.body }),
  });
}

/** The ids that a request names. Invalid ones are omitted, because they may contain anything. */
function findIds(fields: readonly IdField[], parts: Readonly<Record<IdField["in"], unknown>>) {
  const ids: Partial<Record<IdField["entryField"], string>> = {};
  for (const { in: part, name, entryField, isList, schema } of fields) {
    const value: unknown = Object(parts[part])[name];
    if (ids[entryField] !== undefined || value === undefined) continue;
    if (isList && Array.isArray(value)) ids[entryField] = String(new Set(value).size);
    else if (typeof value === "string" && schema.safeParse(value).success) ids[entryField] = value;
  }
  return ids;
}
