import * as z from "zod";
import { findRoundedNumber, numberRule } from "../rules/json-value";
import { limits } from "../rules/limits";
import { byteLength } from "../rules/text";

const { type, maxDataBytes } = limits.signal;
const maxBytes = maxDataBytes.toLocaleString("en-US");
const typeRule = `Must have ${type.minLength} to ${type.maxLength} characters: lower-case letters a-z, digits, _ and . only.`;

export const signalType = z
  .string()
  .regex(/^[a-z0-9_.]{1,40}$/, typeRule)
  .meta({
    description: `What the signal says, ${type.minLength} to ${type.maxLength} characters: lower-case letters, digits, \`_\` and \`.\`. The application decides.`,
    examples: ["typing"],
  });

/** Any object. Not one of Zod, which would drop a field named `__proto__`. */
export const signalData = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    "Must be an object.",
  )
  .superRefine((data, context) => {
    const path = isSmall(data) ? findRoundedNumber(data) : [];
    if (path === undefined) return;
    const message = path.length > 0 ? numberRule : `Must have at most ${maxBytes} bytes as JSON.`;
    context.addIssue({ code: "custom", path, message });
  })
  .meta({
    description: `Any object of at most ${maxBytes} bytes as JSON, without whole numbers beyond ±${Number.MAX_SAFE_INTEGER.toLocaleString("en-US")}.`,
    type: "object",
    additionalProperties: true,
    examples: [{ percent: 40 }],
  });

function isSmall(data: object): boolean {
  try {
    return byteLength(JSON.stringify(data)) <= maxDataBytes;
  } catch {
    // Too deep to be encoded, so longer as well.
    return false;
  }
}
