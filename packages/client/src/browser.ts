import { ValidationError } from "./errors";

/** Refuses a browser page: whatever key is in it, every visitor has it. */
export function requireNoBrowser(isAllowed = false): void {
  const { window } = globalThis as { window?: { document?: unknown } };
  if (!isAllowed && window?.document !== undefined)
    throw new ValidationError(
      "This is a browser, where every visitor can read the API key. Call the service from a server of yours, or set dangerouslyAllowBrowser.",
    );
}
