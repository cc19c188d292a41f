import { DateTime } from "luxon";
import { expect, test } from "vitest";
import { dateRange } from "../../src/modules/exports/date-range";
import { report, scale } from "../support/report";

const msPerHour = 3_600_000;
const msPerDay = 24 * msPerHour;
const zones = Intl.supportedValuesOf("timeZone");

/** The days around clock changes in a zone, searched by week and then by day. */
function daysOfChange(zone: string, years: readonly number[]): string[] {
  const days: string[] = [];
  for (const year of years)
    for (let noon = Date.UTC(year, 0, 1, 12); noon < Date.UTC(year + 1, 0, 1); noon += 7 * msPerDay) {
      if (offsetAt(zone, noon) === offsetAt(zone, noon + 7 * msPerDay)) continue;
      let change = 1;
      while (offsetAt(zone, noon + change * msPerDay) === offsetAt(zone, noon)) change++;
      for (const shift of [-2, -1, 0, 1])
        days.push(new Date(noon + (change + shift) * msPerDay).toISOString().slice(0, 10));
    }
  return days;
}

function offsetAt(zone: string, time: number): number {
  return DateTime.fromMillis(time, { zone }).offset;
}

/** The first millisecond of a day in a zone, by binary search over luxon's local dates. */
function startOfDay(zone: string, day: string): number {
  const isReached = (time: number) => (DateTime.fromMillis(time, { zone }).toISODate() ?? "") >= day;
  let low = Date.parse(day) - 2 * msPerDay;
  let high = Date.parse(day) + 2 * msPerDay;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReached(middle)) high = middle;
    else low = middle;
  }
  return firstOf(zone, isReached, high);
}

/** If the clock goes back over midnight, a day begins twice. Returns the first beginning. */
function firstOf(zone: string, isReached: (time: number) => boolean, found: number): number {
  const earliest = found - 6 * msPerHour;
  if (offsetAt(zone, earliest) <= offsetAt(zone, found)) return found;
  for (let time = earliest; time < found; time += 60_000) if (isReached(time)) return time;
  return found;
}

test("days around every clock change begin when luxon says", async () => {
  const someZones = scale(
    zones
      .filter((_, index) => index % 20 === 0)
      .concat("Asia/Seoul", "America/Havana", "Pacific/Apia", "Asia/Beirut"),
    zones,
  );
  const years = scale(
    [1975, 2011, 2024],
    Array.from({ length: 131 }, (_, index) => 1970 + index),
  );
  let compared = 0;
  const different: string[] = [];
  for (const zone of someZones)
    for (const day of new Set(daysOfChange(zone, years))) {
      compared++;
      const { since } = dateRange(day, undefined, zone);
      if (since !== startOfDay(zone, day)) different.push(`${zone} ${day}`);
    }
  await report({
    fault: "days around clock changes compared with luxon",
    load: `${someZones.length} zones, ${years.length} years`,
    sent: compared,
    acknowledged: compared - different.length,
    wrong: different.length,
  });
  expect(compared).toBeGreaterThan(50);
  expect(different).toEqual([]);
});
