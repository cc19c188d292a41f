import { ValidationError } from "./errors";

/** A day as `YYYY-MM-DD`; for a `Date`, its day in the time zone. */
export function formatDay(
  name: string,
  day: string | Date | undefined,
  timeZone = "UTC",
): string | undefined {
  if (!(day instanceof Date)) return day;
  try {
    // Swedish dates are those of ISO 8601.
    return new Intl.DateTimeFormat("sv", { timeZone }).format(day).padStart(10, "0");
  } catch {
    throw new ValidationError(
      name,
      "Must be a valid Date, and timezone a zone such as Asia/Seoul.",
      "exports.messages",
    );
  }
}
