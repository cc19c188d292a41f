import { ValidationError } from "./errors";

/** Rejects a browser page, where every visitor can read the key. */
export function requireNoBrowser(isAllowed = false): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (!isAllowed && window?.document !== undefined)
    throw new ValidationError(
      "dangerouslyAllowBrowser",
      "Must be true in a browser, where every visitor can read the API key.",
    );
}
