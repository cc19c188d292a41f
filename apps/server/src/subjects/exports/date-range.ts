import { Temporal } from "temporal-polyfill";

/** Milliseconds since the Unix epoch: from `since` on, and before `until`. */
export interface DateRange {
  readonly since: number;
  readonly until: number;
}

/**
 * The time between the first moment of one day and the last of another, both inclusive and either open, in a time
 * zone. A day begins when the zone's clock first shows it: right where a day has 23 or 25 hours or no midnight.
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
