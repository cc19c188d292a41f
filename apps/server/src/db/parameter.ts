/** A value as PostgreSQL takes it: text, bytes or nothing. Arrays become array literals, other objects JSON. */
export function toParameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(",")}}`;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toElement(value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (value === null || value === undefined) return "NULL";
  if (typeof value !== "string") throw new TypeError("Arrays for the database hold numbers and strings.");
  return `"${value.replaceAll(/[\\"]/g, "\\$&")}"`;
}
