import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

/** The base address without a trailing slash. A path in front of `/v1` is kept. */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new ValidationError(
      "baseUrl",
      "Must be an http or https address without user, query and fragment.",
    );
  const base = url.href.replace(/\/+$/, "");
  if (base.endsWith("/v1")) throw new ValidationError("baseUrl", "Must not include /v1.");
  return base;
}

/** The query string, such as `?name=Kim&limit=15`, or an empty string. Parameters that are `undefined` are not sent. */
export function formatQuery(query: object, operation: Operation): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    try {
      return [`${name}=${encodeURIComponent(String(value))}`];
    } catch {
      throw new ValidationError(name, "Must not contain a lone surrogate.", operation, "query");
    }
  });
  return pairs.length ? `?${pairs.join("&")}` : "";
}
