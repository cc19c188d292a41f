import * as z from "zod";

/** A day of the calendar that exists, as `YYYY-MM-DD`. */
export const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: "Must be a date in the form YYYY-MM-DD.", abort: true })
  .refine(isDayOfCalendar, "Is not a day of the calendar.")
  .meta({ format: "date", examples: ["2024-01-31"] });

/** `UTC` or a name of the IANA time zone database in the form `Area/City`; offsets are not zones. */
export const timeZone = z
  .string()
  .refine(isTimeZone, "Must be UTC or a time zone name in the form Area/City, such as Asia/Seoul.")
  .meta({
    description: "`UTC`, or a name of the IANA time zone database in the form `Area/City`.",
    default: "UTC",
    examples: ["Asia/Seoul"],
  });

function isDayOfCalendar(value: string): boolean {
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === value;
}

// The areas of the IANA database. Intl knows more names with a slash, which are no zones of it.
const zonePattern =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(\/[A-Z][A-Za-z0-9_+-]{0,31}){1,2}$/;

const knownZones = new Map<string, boolean>([["UTC", true]]);

function isTimeZone(value: string): boolean {
  const known = knownZones.get(value);
  if (known !== undefined) return known;
  if (!zonePattern.test(value)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions();
    // Intl takes a name in any case, and we only in its own.
    if (timeZone !== value && timeZone.toLowerCase() === value.toLowerCase()) return false;
  } catch {
    return false;
  }
  // Bounded by the number of zones there are, in a few spellings: only real ones are remembered.
  if (knownZones.size < 2_000) knownZones.set(value, true);
  return true;
}
