import { endTimeFields, timeFields } from "../../generated/operations";
import { toPlainText } from "./plain-text";

/** Whether a field is a time, in milliseconds. */
export const isTime = (name: string): boolean => timeFields.includes(name);

/** Whether a value says that there is no end. */
export const isEndless = (name: string, value: unknown): boolean =>
  value === 0 && endTimeFields.includes(name);

/** A field of a response as text, on one line. */
export function formatValue(name: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (isEndless(name, value)) return "without end";
  if (isTime(name) && typeof value === "number") return `${formatTime(value)} UTC`;
  if (Array.isArray(value)) return value.map((item) => formatValue("", item)).join(", ");
  if (typeof value === "object") return formatObject(value);
  return toPlainText(String(value));
}

/** `2026-01-31 12:00:00`, UTC. */
export function formatTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().slice(0, 19).replace("T", " ");
}

/** A resource by its id or its name, anything else by its pairs. */
function formatObject(value: object): string {
  const pairs = Object.entries(value);
  const label = pairs.find(([name]) => name.endsWith("_id")) ?? pairs.find(([name]) => name === "name");
  // Metadata has only texts, and may have a name, too.
  if (label && pairs.some(([, field]) => typeof field !== "string")) return formatValue(...label);
  return pairs.map(([name, text]) => `${toPlainText(name)}=${formatValue(name, text)}`).join(" ");
}
