import type * as z from "zod";

/**
 * What is wrong with a value of another type, in place of the sentences of Zod: for the option `error` of its parsers, and for
 * `z.config`. A schema with a message of its own keeps it.
 */
export const describeWrongType: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "It is required.";
  if (issue.expected === "int") return "Must be a whole number.";
  const article = issue.expected === "array" || issue.expected === "object" ? "an" : "a";
  return `Must be ${article} ${issue.expected}.`;
};
