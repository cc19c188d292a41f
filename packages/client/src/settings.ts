import { ValidationError } from "./errors/errors";

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
