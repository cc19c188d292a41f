import { operations } from "@madang/contract";
import * as z from "zod";
import { findUrlFault, normalizeHosts } from "../db/connection-string";
import { parsePolicy } from "../http/rate-limits/policy";

export const wholeNumber = (setting: string, max: number, unit = "", min = 0) => {
  const error = `${setting} must be a whole number${unit} from ${min} to ${max}.`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
};

export const oneOf = <const Values extends readonly string[]>(setting: string, values: Values) =>
  z.enum(values, { error: `${setting} must be one of ${values.join(", ")}.` });

export const masterKey = (setting: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, `${setting} must have 16 to 512 visible ASCII characters and no spaces.`);

/** Operations by their names in the SDK and in the log. */
const loggedNames = new Set([...operations.map(({ id, variantOf }) => variantOf ?? id), "healthz", "readyz"]);

export const operationNames = (setting: string) =>
  z.string().transform((list, context) => {
    const names = list.split(",").map((name) => name.trim());
    const unknown = names.find((name) => name !== "" && !loggedNames.has(name));
    if (unknown !== undefined)
      context.addIssue({
        code: "custom",
        message: `${setting} contains "${unknown}", which is no operation.`,
      });
    return new Set(names);
  });

export const policy = (setting: string) =>
  z.string().transform((text, context) => {
    const parsed = parsePolicy(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({
      code: "custom",
      message: `${setting} must have the form 600/60s: requests per number of seconds.`,
    });
    return z.NEVER;
  });

export const postgresUrl = (setting: string) =>
  z
    .string()
    .transform(normalizeHosts)
    .superRefine((url, context) => {
      const fault = findUrlFault(url);
      if (fault !== undefined) context.addIssue({ code: "custom", message: `${setting} ${fault}` });
    });
