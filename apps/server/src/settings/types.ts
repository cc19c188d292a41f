import { eventStreamOperation, operations } from "@madang/contract";
import * as z from "zod";
import { findUrlFault, normalizeHosts } from "../db/connection/connection-string";
import type { RatePolicy } from "../http/rate-limits/credential-limit";

// The messages continue a sentence that begins with the name of the setting.

export const wholeNumber = (max: number, unit = "", min = 0) => {
  const error = `must be a whole number${unit} from ${min} to ${max}.`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};

const shareError = "must be a number from 0 to 1.";
export const share = z.coerce.number(shareError).min(0, shareError).max(1, shareError);

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}.` });

export const masterKey = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/, "must have 16 to 512 visible ASCII characters and no spaces.");

/** A comma-separated list. Empty entries are ignored. */
export const list = z.string().transform((text) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ""),
);

/** Operations by their names in the SDK and in the log, and what the log has besides. */
const loggedNames = new Set([
  ...operations.map(({ id, variantOf }) => variantOf ?? id),
  eventStreamOperation.id,
  ...["healthz", "readyz", "files.upload", "files.download"],
  ...["console.page", "console.assets", "console.session", "console.signIn", "console.signOut"],
]);

/** What browsers send as `Origin`: no path, no default port, lower case. */
export const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).origin === text;

export const operationNames = list
  .superRefine((names, context) => {
    const unknown = names.find((name) => !loggedNames.has(name));
    if (unknown !== undefined)
      context.addIssue({ code: "custom", message: `contains "${unknown}", which is no operation.` });
  })
  .transform((names) => new Set(names));

export const policy = z.string().transform((text, context): RatePolicy => {
  const found = /^([1-9][0-9]{0,8})\/([1-9][0-9]{0,4})s$/.exec(text);
  if (found !== null) return { requests: Number(found[1]), seconds: Number(found[2]) };
  const message = "must have the form 600/60s: requests per number of seconds.";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

export const postgresUrl = z
  .string()
  .transform(normalizeHosts)
  .superRefine((url, context) => {
    const fault = findUrlFault(url);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
