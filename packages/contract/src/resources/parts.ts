import * as z from "zod";
import { findRoundedNumber, numberRule } from "../rules/json-value";
import { limits } from "../rules/limits";
import { byteLength } from "../rules/text";

/** A part of a message: an object of the application with a `type`. */
export interface MessagePart {
  type: string;
  [field: string]: unknown;
}

const { max, maxBytes, maxValues, maxDepth, type } = limits.parts;
const typeRule = `Must be a text of ${type.minLength} to ${type.maxLength} characters.`;

const fields = {
  type: "object",
  properties: {
    type: {
      type: "string",
      description: `What the part is, ${type.minLength} to ${type.maxLength} characters. The application decides.`,
    },
  },
  required: ["type"],
  additionalProperties: true,
  examples: [{ type: "link", url: "https://example.com" }],
};

/** Not an object of Zod, which would drop a field named `__proto__`. */
const newPart = z
  .custom<MessagePart>(isObject, "Must be an object.")
  .superRefine((part, context) => {
    const length = typeof part.type === "string" ? [...part.type].length : 0;
    if (length < type.minLength || length > type.maxLength)
      context.addIssue({ code: "custom", path: ["type"], message: typeRule });
  })
  .meta({ id: "NewMessagePart", description: "A part of a message to send.", ...fields });

/** In a request: JSON of any form, of limited size, which is returned as it was sent. */
export const newParts = z
  .array(newPart)
  .max(max, `Must contain at most ${max} parts.`)
  .superRefine((parts, context) => {
    const message = problemOf(parts);
    // What is too deep is not searched for numbers.
    const path = message === undefined ? findRoundedNumber(parts) : [];
    if (path !== undefined) context.addIssue({ code: "custom", path, message: message ?? numberRule });
  })
  .meta({
    description: `What a text cannot hold, such as tool calls, cards and reasoning: 1 to ${max} objects, each with a \`type\`, returned as they were sent. Together at most ${maxBytes.toLocaleString("en-US")} bytes as JSON, ${maxValues.toLocaleString("en-US")} values and ${maxDepth} levels, and no whole number beyond ±${Number.MAX_SAFE_INTEGER.toLocaleString("en-US")}. They are not searched.`,
  });

/** In a response. */
export const parts = z
  .array(
    z
      .custom<MessagePart>(isObject, "Must be an object.")
      .meta({ id: "MessagePart", description: "A part of a message.", ...fields }),
  )
  .meta({ description: "The parts, as they were sent. Absent if there are none." });

/** Also limits the depth to which JSON is encoded here and wherever it is read. */
function problemOf(parts: readonly unknown[]): string | undefined {
  let values = 0;
  let isDeep = false;
  const count = (value: unknown, depth: number): void => {
    values += 1;
    if (values > maxValues || typeof value !== "object" || value === null) return;
    // A level is an array or an object. The list of parts is none.
    if (depth === maxDepth) isDeep = true;
    else for (const each of Object.values(value)) count(each, depth + 1);
  };
  for (const part of parts) count(part, 0);
  if (isDeep) return `Must have at most ${maxDepth} levels of objects and arrays.`;
  if (values > maxValues) return `Must have at most ${maxValues.toLocaleString("en-US")} values.`;
  const bytes = byteLength(JSON.stringify(parts));
  return bytes > maxBytes
    ? `Has ${bytes.toLocaleString("en-US")} bytes as JSON; at most ${maxBytes.toLocaleString("en-US")} are allowed.`
    : undefined;
}

function isObject(value: unknown): value is MessagePart {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
