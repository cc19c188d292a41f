import { isUtf8 } from "node:buffer";
import { callerHeaders, type InvalidField } from "@madang/contract";
import type { Request } from "express";
import { ServiceError } from "../errors";
import { listHeaders } from "../http/list-headers";
import type { KeyMaker } from "../security/secret";

/** Who sends the request on whose behalf, and why. */
export interface CallerHeaders {
  readonly actor?: string;
  readonly reason?: string;
}

/** Reads `X-Madang-Actor` and `X-Madang-Reason`. Rejects the request if one is not valid. API keys in them are masked. */
export function requireCallerHeaders(request: Request, { mask }: Pick<KeyMaker, "mask">): CallerHeaders {
  const { values, errors } = readCallerHeaders(request, mask);
  const [first] = errors;
  if (first === undefined) return values;
  throw new ServiceError(
    "invalid_request",
    `The request is invalid. In the header, ${first.path}: ${first.message}`,
    errors,
  );
}

/** The same for a request that was rejected: what is not valid is left out. */
export const findCallerHeaders = (request: Request, { mask }: Pick<KeyMaker, "mask">): CallerHeaders =>
  readCallerHeaders(request, mask).values;

function readCallerHeaders(request: Request, mask: KeyMaker["mask"]) {
  const values: Record<string, string> = {};
  const errors: InvalidField[] = [];
  for (const [name, schema] of Object.entries(callerHeaders)) {
    if (request.headers[name] === undefined) continue;
    const [sent = "", ...others] = listHeaders(request, name).map(decode);
    const result = schema.safeParse(sent);
    const [issue] = result.error?.issues ?? [];
    const message = others.length > 0 ? "It was sent more than once. Send it once." : issue?.message;
    if (message === undefined) values[name.replace("x-madang-", "")] = mask(sent);
    else errors.push({ in: "header", path: name, message });
  }
  return { values: values as CallerHeaders, errors };
}

/** Node decodes headers as Latin-1. A client that has more than ASCII to say sends UTF-8. */
function decode(value: string): string {
  const bytes = Buffer.from(value, "latin1");
  // A lone surrogate is rejected by the schema.
  return isUtf8(bytes) ? bytes.toString() : "\ud800";
}
