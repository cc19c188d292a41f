import { InvalidArgumentError } from "commander";

// The service checks the days and the zone too, but only when the first messages are exported.

/** A day of the calendar, such as 2024-01-31. */
export function parseDay(text: string): string {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (day === undefined || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError("It must be a day such as 2024-01-31.");
  return text;
}

export function parseTimeZone(text: string): string {
  const error = new InvalidArgumentError("It must be UTC or a time zone such as Asia/Seoul.");
  if (text !== "UTC" && !/^[A-Z]\w+\//.test(text)) throw error;
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
  } catch {
    throw error;
  }
  return text;
}

export function parseConcurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 16) return value;
  throw new InvalidArgumentError("It must be a whole number from 1 to 16.");
}
