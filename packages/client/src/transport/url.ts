import { ValidationError } from "../errors/errors";
import { parameterRules } from "../generated/routes";
import type { Operation } from "../generated/types";
import type { ParameterRule } from "../route";

/** The base address without a trailing slash. A path in front of `/v1` is kept. */
export function parseBaseUrl(baseUrl: string): string {
  const url = parseUrl(baseUrl);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw new ValidationError(
      "baseUrl",
      "Must be an http or https address without user, query and fragment.",
    );
  const base = url.href.replace(/\/+$/, "");
  if (base.endsWith("/v1")) throw new ValidationError("baseUrl", "Must not include /v1.");
  return base;
}

/** `URL.parse`, which is newer than some of the supported browsers. */
function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/**
 * Fills the `:names` of a path with ids that the contract allows, so that no id changes which address is called. The value
 * is not repeated in the error: it may be a secret that was passed by mistake.
 */
export function fillPath(
  path: string,
  values: Readonly<Record<string, unknown>>,
  operation: Operation,
): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const fault = findFault(values[name], parameterRules[name]);
    if (fault) throw new ValidationError(name, fault, operation, "path");
    return encodeURIComponent(String(values[name]));
  });
}

function findFault(value: unknown, rule: ParameterRule | undefined): string | undefined {
  if (value === undefined || value === null) return "Is missing.";
  if (!rule) return undefined;
  const { pattern, length, message } = rule;
  if (typeof value !== "string" || !pattern.test(value)) return message;
  const characters = [...value].length;
  return characters < length[0] || characters > length[1] ? message : undefined;
}

/**
 * The query string, such as `?name=Kim&limit=15`, or an empty string. Parameters that are `undefined` are not sent; commas separate several
 * values of one.
 */
export function formatQuery(query: object, operation: Operation): string {
  const pairs = Object.entries(query).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const text = Array.isArray(value) ? joinIds(name, value, operation) : String(value);
    try {
      return [`${name}=${encodeURIComponent(text)}`];
    } catch {
      throw new ValidationError(name, "Must not contain a lone surrogate.", operation, "query");
    }
  });
  return pairs.length ? `?${pairs.join("&")}` : "";
}

/** The service would take an id that has a comma for several. */
function joinIds(name: string, ids: readonly unknown[], operation: Operation): string {
  if (ids.some((id) => String(id).includes(","))) {
    const instead = name === "external_ids" ? " Ask for such a message by its `message_id`." : "";
    throw new ValidationError(name, `Must have no id with a comma.${instead}`, operation, "query");
  }
  return ids.join();
}
