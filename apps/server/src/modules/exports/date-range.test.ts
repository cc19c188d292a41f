import { describe, expect, test } from "vitest";
import { dateRange } from "./date-range";

const hour = 3_600_000;
const at = (iso: string) => Date.parse(iso);
const lengthOf = (day: string, zone: string) => {
  const { since, until } = dateRange(day, day, zone);
  return (until - since) / hour;
};

describe("a day of the export", () => {
  test("is inclusive at both ends, in UTC", () => {
    expect(dateRange("2024-01-31", "2024-02-01", "UTC")).toEqual({
      since: at("2024-01-31T00:00:00Z"),
      until: at("2024-02-02T00:00:00Z"),
    });
  });

  test("begins at the zone's midnight", () => {
    expect(dateRange("2024-01-01", "2024-01-01", "Asia/Seoul")).toEqual({
      since: at("2023-12-31T15:00:00Z"),
      until: at("2024-01-01T15:00:00Z"),
    });
  });

  test.each([
    ["2024-03-10", "America/New_York", 23],
    ["2024-11-03", "America/New_York", 25],
    ["2024-03-31", "Europe/Berlin", 23],
    ["2024-10-27", "Europe/Berlin", 25],
    ["2024-04-07", "Australia/Lord_Howe", 24.5],
    ["2024-01-01", "Asia/Seoul", 24],
    // The clock went from 23:59:59 to 01:00, so the day begins at 01:00.
    ["2018-11-04", "America/Sao_Paulo", 23],
    // The whole day was skipped when the date line moved.
    ["2011-12-30", "Pacific/Apia", 0],
  ])("%s in %s has %d hours", (day, zone, hours) => {
    expect(lengthOf(day, zone)).toBe(hours);
  });

  test("without a midnight begins at its first moment", () => {
    expect(dateRange("2018-11-04", undefined, "America/Sao_Paulo").since).toBe(at("2018-11-04T03:00:00Z"));
  });

  test("that is open includes all messages", () => {
    const { since, until } = dateRange(undefined, undefined, "UTC");
    expect(since).toBeLessThan(at("0001-01-01T00:00:00Z"));
    expect(until).toBeGreaterThan(at("9999-12-31T23:59:59Z"));
  });

  test("may be the first or the last valid date", () => {
    expect(dateRange("0000-01-01", "9999-12-31", "Asia/Kathmandu").until).toBeGreaterThan(0);
  });
});
