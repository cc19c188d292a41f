import type { InvalidField } from "@madang/contract";
import { ServiceError } from "./service-error";

/** The part of a Zod schema that is used. */
interface Schema {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues: { path: PropertyKey[]; message: string; keys?: string[] }[] };
  };
}

/** A part of a request as the contract parses it. Throws the error that the service responds with. */
export function validate(part: InvalidField["in"], schema: unknown, value: unknown): unknown {
  if (!isSchema(schema)) return value;
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const fields = error?.issues.flatMap(({ path, message, keys }) =>
    // An unknown field is named itself, and not the object that contains it.
    (keys ?? [undefined]).map((key) => ({
      in: part,
      path: [...path, ...(key === undefined ? [] : [key])].join("."),
      message,
    })),
  );
  throw new ServiceError("invalid_request", "The request breaks a rule.", fields);
}

/** Whether a value is what the contract declares. */
export function isValid(schema: unknown, value: unknown): boolean {
  return !isSchema(schema) || schema.safeParse(value).success;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "safeParse" in value;
}
