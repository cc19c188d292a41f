import { Temporal } from "temporal-polyfill";

/** Milliseconds since the Unix epoch, from `since` (inclusive) to `until` (exclusive). */
interface DateRange {
  readonly since: number;
  readonly until: number;
}

/**
 * The time range of days in a time zone, both dates inclusive and optional. A day begins when the zone's clock first
 * shows it, which is also correct for days of 23 or 25 hours and days without a midnight.
 */
export function dateRange(
  startDate: string | undefined,
  endDate: string | undefined,
  timeZone: string,
): DateRange {
  return {
    since:
      startDate === undefined
        ? Number.MIN_SAFE_INTEGER
        : startOfDay(Temporal.PlainDate.from(startDate), timeZone),
    until:
      endDate === undefined
        ? Number.MAX_SAFE_INTEGER
        : startOfDay(Temporal.PlainDate.from(endDate).add({ days: 1 }), timeZone),
  };
}

function startOfDay(day: Temporal.PlainDate, timeZone: string): number {
  return day.toZonedDateTime(timeZone).epochMilliseconds;
}
