import { isUtf8 } from "node:buffer";
import { auditHeaders, type InvalidField } from "@madang/contract";
import type { Request } from "express";
import { invalidRequest } from "../../errors/service-error";
import type { KeyMaker } from "../../security/secret";
import { listHeaders } from "./list-headers";

/** For the audit log: the person on whose behalf a request is sent, and the reason. */
export interface AuditHeaders {
  readonly actor?: string;
  readonly reason?: string;
}

/** Reads `X-Madang-Actor` and `X-Madang-Reason`. Rejects the request if one is not valid. API keys in them are masked. */
export function requireAuditHeaders(request: Request, { mask }: Pick<KeyMaker, "mask">): AuditHeaders {
  const { values, errors } = readAuditHeaders(request, mask);
  if (errors.length > 0) throw invalidRequest(errors);
  return values;
}

/** Reads the same headers of a rejected request. Invalid values are omitted. */
export const findAuditHeaders = (request: Request, { mask }: Pick<KeyMaker, "mask">): AuditHeaders =>
  readAuditHeaders(request, mask).values;

function readAuditHeaders(request: Request, mask: KeyMaker["mask"]) {
  const values: Record<string, string> = {};
  const errors: InvalidField[] = [];
  for (const [name, schema] of Object.entries(auditHeaders)) {
    if (request.headers[name] === undefined) continue;
    const [sent = "", ...others] = listHeaders(request, name).map(decode);
    const result = schema.safeParse(sent);
    const [issue] = result.error?.issues ?? [];
    const message = others.length > 0 ? "It was sent more than once. Send it once." : issue?.message;
    if (message === undefined) values[name.replace("x-madang-", "")] = mask(sent);
    else errors.push({ in: "header", path: name, message });
  }
  return { values: values as AuditHeaders, errors };
}

/** Decodes a value as UTF-8, because Node decodes headers as Latin-1. */
function decode(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  // The schema rejects the lone surrogate.
  return isUtf8(bytes) ? bytes.toString() : "\ud800";
}
