import type * as z from "zod";

/**
 * What is wrong with a value, in place of the sentences of Zod: for the option `error` of its parsers, and for `z.config`. A
 * schema with a message of its own keeps it.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? required : `Must be ${describeType(issue.expected)}.`;
    case "invalid_value":
      return issue.input === undefined ? required : `Must be ${issue.values.map(quote).join(" or ")}.`;
    case "too_small":
      if (issue.origin === "int") return `Must be at least ${issue.minimum}.`;
      return issue.origin === "array" ? `Must contain at least ${count(issue.minimum)}.` : undefined;
    case "too_big":
      if (issue.origin === "int") return `Must be at most ${issue.maximum}.`;
      return issue.origin === "array" ? `Must contain at most ${count(issue.maximum)}.` : undefined;
    default:
      return undefined;
  }
};

const required = "It is required.";

function describeType(expected: string): string {
  if (expected === "int") return "a whole number";
  return `${expected === "array" || expected === "object" ? "an" : "a"} ${expected}`;
}

const quote = (value: unknown) => JSON.stringify(value);
const count = (limit: number | bigint) => `${limit} ${limit === 1 ? "item" : "items"}`;
