import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type * as z from "zod";
import { invalidField, ServiceError } from "../errors/service-error";
import type { KeyMaker } from "../security/secret";

/** Signs the query of the next page into a string, and opens only strings that this service signed. */
export interface Cursors {
  /** `scope` names the list. A cursor opens only in its own list. */
  sign(scope: string, content: unknown): string;
  /** The signed content. Rejects any other string, and other content, with `invalid_cursor`, which names the parameter. */
  open<Content>(
    scope: string,
    cursor: string,
    parameter: "next" | "after",
    schema: z.ZodType<Content>,
  ): Content;
}

const macBytes = 16;

/**
 * Cursors signed with a key that all processes share and that does not change with the master key. It is derived from the first master
 * key of the database and `secret`, a random value of the database: neither of them alone signs a cursor.
 */
export function createCursors({ derive }: Pick<KeyMaker, "derive">, secret: Buffer): Cursors {
  const key = createSecretKey(derive(`cursors ${secret.toString("hex")}`));
  const macOf = (scope: string, payload: string) =>
    createHmac("sha256", key).update(`${scope}\n${payload}`).digest().subarray(0, macBytes);

  return {
    sign(scope, content) {
      const payload = Buffer.from(JSON.stringify(content)).toString("base64url");
      return `${payload}.${macOf(scope, payload).toString("base64url")}`;
    },
    open(scope, cursor, parameter, schema) {
      const [payload = "", mac = "", ...rest] = cursor.split(".");
      // Compared as text, because other base64url strings may decode to the same bytes.
      const expected = Buffer.from(macOf(scope, payload).toString("base64url"));
      const sent = Buffer.from(mac);
      const isValid = sent.length === expected.length && timingSafeEqual(sent, expected);
      if (!isValid || rest.length > 0) throw invalidCursor(parameter);
      const content = schema.safeParse(parse(Buffer.from(payload, "base64url").toString()));
      if (!content.success) throw invalidCursor(parameter);
      return content.data;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A parameter beside `next` must equal the one in the cursor. */
export function rejectDifferentParameters(
  sent: Readonly<Record<string, string | number | undefined>>,
  original: Readonly<Record<string, string | number | undefined>>,
): void {
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined && value !== original[name])
      throw invalidField("query", name, "It differs from the query in the cursor. Send only next.");
}

export function invalidCursor(parameter = "next"): ServiceError {
  return new ServiceError(
    "invalid_cursor",
    `The cursor in ${parameter} is not from this list. Send it exactly as the list returned it.`,
  );
}
