import * as z from "zod";

interface Length {
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A string that PostgreSQL can store unchanged: no NUL, no lone surrogate. Lengths count code points. */
export function text({ minLength, maxLength }: Length = {}) {
  let schema = z.string();
  if (minLength !== undefined)
    schema = schema.min(minLength, `Must have at least ${plural(minLength, "character")}.`);
  if (maxLength !== undefined)
    schema = schema.max(maxLength, `Must have at most ${plural(maxLength, "character")}.`);
  return schema.refine(isStorable, "Must not contain a NUL character or a lone surrogate.");
}

/** A text that is shown on one line, and changes nothing around it. */
export const lineOfText = (length: Length) =>
  text(length).refine(
    (value) => !/(?!\0)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(value),
    "Must not contain line breaks, control characters or characters that change its direction.",
  );

/** Whether PostgreSQL stores the string unchanged. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}

const encoder = new TextEncoder();

/** The length of a string in UTF-8 bytes. */
export function byteLength(value: string): number {
  return encoder.encode(value).length;
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
