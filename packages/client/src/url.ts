import { ValidationError } from "./errors";
import type { RouteName } from "./routes";

/** The base address without a closing slash. A path in front of `/v1` is kept. */
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

/** `?name=Kim&limit=15`, or nothing. */
export function formatQuery(
  query: Readonly<Record<string, string | number | undefined>>,
  operation: RouteName,
): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    try {
      return [`${name}=${encodeURIComponent(value)}`];
    } catch {
      throw new ValidationError(`${name} must not contain half of a surrogate pair.`, operation);
    }
  });
  return pairs.length ? `?${pairs.join("&")}` : "";
}
