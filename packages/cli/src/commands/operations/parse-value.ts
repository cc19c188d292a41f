import { isDay } from "@madang/contract/calendar";
import { InvalidArgumentError } from "commander";
import type { FieldData } from "./operation";

/** The value of an option. An option that is repeated adds to what it had. */
export function parseValue(field: FieldData, text: string, previous: unknown): unknown {
  switch (field.kind) {
    case "strings":
      return [...(Array.isArray(previous) ? previous : []), text];
    case "map":
      return { ...Object(previous), ...parsePair(text) };
    default:
      return parseScalar(field, text);
  }
}

/** The value of an argument, or of an option that is given once. */
export function parseScalar({ kind, nullable }: FieldData, text: string): unknown {
  if (nullable && text === "null") return null;
  switch (kind) {
    case "boolean":
      return text === "true";
    case "integer":
    case "number":
      return parseNumber(text);
    case "time":
      return parseTime(text);
    case "json":
      return parseJson(text);
    default:
      return text;
  }
}

function parsePair(text: string): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be key=value.");
  // A computed name, so that __proto__ is a key like any other.
  return { [text.slice(0, at)]: text.slice(at + 1) };
}

function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new InvalidArgumentError("It must be a number.");
  return number;
}

/** ISO 8601. A day begins at midnight UTC; a time of day names its zone, so that the machine's does not matter. */
const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Milliseconds since the epoch, or a date. */
export function parseTime(text: string): number {
  // Date.parse makes 1 March of 30 February.
  const isDate = date.test(text) && isDay(text.slice(0, 10));
  const ms = /^\d+$/.test(text) ? Number(text) : isDate ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError("It must be milliseconds or a date such as 2026-12-31T00:00:00Z.");
  return ms;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It must be JSON.");
  }
}

export function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
}
