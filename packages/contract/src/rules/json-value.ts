/** What a number must be to come back as it was sent: JavaScript rounds larger ones, as do most readers of JSON. */
export const numberRule = `Must be at most ±${Number.MAX_SAFE_INTEGER.toLocaleString("en-US")}: a larger whole number would be rounded. Send it as a text.`;

/** Where JSON of any form has a number that would not come back as it was sent. */
export function findRoundedNumber(value: unknown): string[] | undefined {
  // 1e400 is infinite here.
  if (typeof value === "number") {
    const isFraction = Number.isFinite(value) && !Number.isInteger(value);
    return isFraction || Number.isSafeInteger(value) ? undefined : [];
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const path = findRoundedNumber(each);
    if (path !== undefined) return [name, ...path];
  }
  return undefined;
}
