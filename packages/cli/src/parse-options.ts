import { isDay, isTimeZone } from "@madang/contract/calendar";
import { InvalidArgumentError } from "commander";

// The service checks the days and the zone too, but only when the first messages are exported.

/** A day of the calendar, such as 2024-01-31. */
export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError("It must be a day such as 2024-01-31.");
}

export function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError("It must be UTC or a time zone such as Asia/Seoul.");
}

export function parseConcurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 16) return value;
  throw new InvalidArgumentError("It must be a whole number from 1 to 16.");
}

export function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a whole number from 1 to 65535.");
}

/** The origin of an address, such as https://files.example.com, and the ones that were named before. */
export function parseOrigin(text: string, previous: readonly string[] = []): readonly string[] {
  if (URL.canParse(text) && /^https?:/.test(text)) return [...previous, new URL(text).origin];
  throw new InvalidArgumentError("It must be an address such as https://files.example.com.");
}
