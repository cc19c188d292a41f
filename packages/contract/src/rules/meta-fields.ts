import * as z from "zod";
import { limits } from "./limits";
import { byteLength, isStorable } from "./text";

const keyPattern = /^[A-Za-z\p{Script=Hangul}_-]+$/u;
const { maxPairs, maxKeyBytes, maxValueBytes } = limits.meta;

/**
 * Key-value pairs: at most 10, keys of letters, Hangul, `_` and `-` in at most 100 bytes, values of at most 200.
 * Not `z.record`, which drops a key named `__proto__`: such keys are ordinary here.
 */
export const metaInput = z
  .custom<Record<string, string>>(isPlainObject, "Must be an object of strings.")
  .superRefine((meta, context) => {
    const pairs: [string, unknown][] = Object.entries(meta);
    if (pairs.length > maxPairs)
      context.addIssue({
        code: "custom",
        message: `Has ${pairs.length} pairs; at most ${maxPairs} are allowed.`,
      });
    for (const [key, value] of pairs) {
      const problem = keyProblem(key) ?? valueProblem(value);
      if (problem !== undefined) context.addIssue({ code: "custom", path: [key], message: problem });
    }
  })
  .meta({
    description:
      "Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes; a value is a string of at most 200 bytes.",
    type: "object",
    maxProperties: maxPairs,
    propertyNames: { pattern: keyPattern.source, minLength: 1, maxLength: maxKeyBytes },
    additionalProperties: { type: "string", maxLength: maxValueBytes },
    examples: [{ team: "blue" }],
  });

/** A key as a path segment. */
export const metaKey = z
  .string()
  .superRefine((key, context) => {
    const problem = keyProblem(key);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .meta({
    description: `A metadata key: letters A-Z and a-z, Hangul, \`_\` and \`-\`, at most ${maxKeyBytes} bytes.`,
    pattern: keyPattern.source,
    minLength: 1,
    maxLength: maxKeyBytes,
    examples: ["team"],
  });

/** In a response: an object of strings, whatever the limits of requests are. */
export const metaOutput = z
  .custom<Record<string, string>>(
    (value) => isPlainObject(value) && Object.values(value).every((entry) => typeof entry === "string"),
    "Must be an object of strings.",
  )
  .meta({
    description: "Key-value pairs, `{}` when there are none.",
    type: "object",
    additionalProperties: { type: "string" },
    examples: [{ team: "blue" }],
  });

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keyProblem(key: string): string | undefined {
  if (!keyPattern.test(key))
    return "A key must contain only letters A-Z and a-z, Hangul, _ and -, so no digits and no spaces, and must not be empty.";
  if (byteLength(key) > maxKeyBytes)
    return `The key has ${byteLength(key)} bytes; at most ${maxKeyBytes} are allowed.`;
  return undefined;
}

function valueProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return "A value must be a string.";
  if (!isStorable(value)) return "Must not contain a NUL character or a lone surrogate.";
  if (byteLength(value) > maxValueBytes)
    return `The value has ${byteLength(value)} bytes; at most ${maxValueBytes} are allowed.`;
  return undefined;
}
