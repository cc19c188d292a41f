import type { Operation } from "./error-codes";
import { ValidationError } from "./errors";

/** The base address without a trailing slash. A path in front of `/v1` is kept. */
export function parseBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new ValidationError(
      "baseUrl must be an http or https address without user, query and fragment, such as https://chat.example.com.",
    );
  return url.href.replace(/\/+$/, "");
}

/** Fills the `:names` of a path. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** The query string, such as `?name=Kim&limit=15`, or an empty string. */
export function formatQuery(
  query: Readonly<Record<string, string | number | undefined>>,
  operation: Operation,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    try {
      return [`${name}=${encodeURIComponent(value)}`];
    } catch {
      throw new ValidationError(`${name} must not contain a lone surrogate.`, operation);
    }
  });
  return pairs.length ? `?${pairs.join("&")}` : "";
}
