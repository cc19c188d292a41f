// Without Zod: the `madang` command has these rules in its bundle.

/** `YYYY-MM-DD`. */
export const dayForm = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a day of the calendar, such as `2024-01-31`. */
export function isDay(value: string): boolean {
  const day = dayForm.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  if (day === undefined || Number.isNaN(day.getTime())) return false;
  return day.toISOString().slice(0, 10) === value;
}

// The areas of the IANA database. Intl knows more names with a slash, which are no zones of it.
const zonePattern =
  /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Etc|Europe|Indian|Mexico|Pacific|US)(\/[A-Z][A-Za-z0-9_+-]{0,31}){1,2}$/;

const knownZones = new Map<string, boolean>([["UTC", true]]);

/** Whether a text is `UTC` or a name of the IANA time zone database in the form `Area/City`. */
export function isTimeZone(value: string): boolean {
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
