import { closest, distance } from "fastest-levenshtein";
import { ValidationError } from "./errors/errors";
import type { Operation } from "./generated/types";
import type { CallOptions, ClientOptions, RequestOptions } from "./options";

// The compiler compares these names with the types.
type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

const requestOptions: NamesOf<RequestOptions> = {
  timeoutMs: true,
  totalTimeoutMs: true,
  maxRetries: true,
  maxDowntimeMs: true,
  actor: true,
  reason: true,
  headers: true,
};

export const callOptions: NamesOf<CallOptions> = { ...requestOptions, signal: true, idempotencyKey: true };

export const clientOptions: NamesOf<ClientOptions> = {
  ...requestOptions,
  baseUrl: true,
  apiKey: true,
  token: true,
  session: true,
  dangerouslyAllowBrowser: true,
  maxRetryAfterMs: true,
  fetch: true,
  trace: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
  debug: true,
  check: true,
  bodilessDeletes: true,
};

/** Rejects an option that does not exist: it would have no effect. */
export function requireKnownOptions(
  options: object,
  known: Readonly<Record<string, true>>,
  operation?: Operation,
): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(known, name)) continue;
    const similar = closest(name, Object.keys(known));
    const isSimilar = distance(name, similar) <= Math.min(3, name.length / 3);
    const hint = isSimilar ? ` Did you mean ${similar}?` : "";
    throw new ValidationError(name, `There is no such option.${hint}`, operation);
  }
}

/** The value of an option, or of the environment variable that stands in for it. */
export function requireSetting<Value>(
  option: string,
  value: Value | undefined,
  variable: string,
): Value | string {
  const setting = value ?? readVariable(variable);
  if (setting) return setting;
  throw new ValidationError(option, `Is missing. Pass it, or set the environment variable ${variable}.`);
}

/** An environment variable, or `undefined` where it is empty, or where the runtime has none or does not permit reading it. */
function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Rejects a browser page, where every visitor can read the key. */
export function requireNoBrowser(isAllowed = false): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (!isAllowed && window?.document !== undefined)
    throw new ValidationError(
      "dangerouslyAllowBrowser",
      "Must be true in a browser, where every visitor can read the API key.",
    );
}
