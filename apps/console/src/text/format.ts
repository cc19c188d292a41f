import { useStore } from "@madang/react";
import { language } from "./language";

/** Dates and numbers as the reader writes them: the region of the browser, if it belongs to the language of the page. */
export function useFormat() {
  const chosen = useStore(language);
  const locale = navigator.languages.find((one) => one.startsWith(chosen) && isLocale(one)) ?? chosen;
  const format = (options: Intl.DateTimeFormatOptions) => (ms: number) =>
    new Intl.DateTimeFormat(locale, options).format(toDate(ms));
  return {
    locale,
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    /** With its sign, such as +12%. */
    change: (ratio: number) =>
      new Intl.NumberFormat(locale, { style: "percent", signDisplay: "exceptZero" }).format(ratio),
    bytes: (value: number) => formatBytes(locale, value),
    /** A whole number of seconds, such as 30 sec or 6 hr. */
    duration: (seconds: number) => formatDuration(locale, seconds),
    time: format({ timeStyle: "short" }),
    exactTime: format({ timeStyle: "medium" }),
    day: format({ dateStyle: "full" }),
    /** The zone of the reader at a time, such as GMT+9. */
    zone: (ms: number) =>
      new Intl.DateTimeFormat(locale, { timeZoneName: "shortOffset" })
        .formatToParts(ms)
        .find(({ type }) => type === "timeZoneName")?.value,
    /** Such as Asia/Seoul. */
    zoneName: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    date: format({ dateStyle: "medium" }),
    shortDay: format({ month: "short", day: "numeric" }),
    dateTime: format({ dateStyle: "medium", timeStyle: "medium" }),
    compactDateTime: format({ dateStyle: "short", timeStyle: "short" }),
    compactExactTime: format({ dateStyle: "short", timeStyle: "medium" }),
    ago: (ms: number) => formatAgo(new Intl.RelativeTimeFormat(locale, { numeric: "auto" }), ms - Date.now()),
  };
}

/** The date at a time, or the last one that there is: a mute may end later. */
export const toDate = (ms: number) => new Date(Math.min(ms, 8.64e15));

/** A browser may name others, such as `en-US@posix`. */
function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}

const byteUnits = [
  ["terabyte", 1e12],
  ["gigabyte", 1e9],
  ["megabyte", 1e6],
  ["kilobyte", 1e3],
] as const;

/** Not in compact notation, in which Korean has 18만byte. */
function formatBytes(locale: string, value: number): string {
  const [unit, size] = byteUnits.find(([, bytes]) => value >= bytes) ?? (["byte", 1] as const);
  const options = { style: "unit", unit, unitDisplay: "narrow", maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat(locale, options).format(value / size);
}

const durationUnits = [
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** In the largest unit in which it is a whole number. */
function formatDuration(locale: string, seconds: number): string {
  const [unit, size] = durationUnits.find(([, each]) => seconds % each === 0) ?? (["second", 1] as const);
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(seconds / size);
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

function formatAgo(format: Intl.RelativeTimeFormat, distanceMs: number): string {
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? (["minute", 60_000] as const);
  return format.format(Math.round(distanceMs / unitMs), unit);
}
