import { ValidationError } from "./errors";

/** A day as `YYYY-MM-DD`; for a `Date`, its day in the time zone. */
export function formatDay(
  name: string,
  day: string | Date | undefined,
  timeZone = "UTC",
): string | undefined {
  if (!(day instanceof Date)) return day;
  try {
    const format = new Intl.DateTimeFormat("en", {
      timeZone,
      calendar: "iso8601",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    });
    const {
      year = "",
      month,
      day: date,
    } = Object.fromEntries(format.formatToParts(day).map((part) => [part.type, part.value]));
    return `${year.padStart(4, "0")}-${month}-${date}`;
  } catch {
    throw new ValidationError(
      "option",
      name,
      "Must be a valid Date, and timezone a zone such as Asia/Seoul.",
      "exports.messages",
    );
  }
}
