import {
  type AuditSetting,
  auditLevelOf,
  channelId,
  type ErrorCode,
  isAudited,
  messageId,
  userId,
  webhookId,
} from "@madang/contract";
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
  readonly operation: Pick<AnyOperation, "id" | "variantOf">;
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
  const channels: unknown = Object(request.body).channel_ids;
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
    ...findIds([request.params, request.query, request.body]),
    ...(Array.isArray(channels) && { subject: String(new Set(channels).size) }),
  });
}

/** The request fields that contain each id. Invalid ids are omitted, because they may contain anything. */
const idFields = [
  ["user_id", userId, ["user_id", "member", "manager", "reported_user_id"]],
  ["channel_id", channelId, ["channel_id"]],
  ["message_id", messageId, ["message_id"]],
  ["subject", webhookId, ["webhook_id"]],
] as const;

function findIds(parts: readonly unknown[]): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const [name, schema, fields] of idFields) {
    const values = parts.flatMap((part) => fields.map((field): unknown => Object(part)[field]));
    const id = values.find((value) => typeof value === "string" && schema.safeParse(value).success);
    if (typeof id === "string") ids[name] = id;
  }
  return ids;
}
