import { useStore } from "../api/store";
import { language } from "./language";

/** Dates and numbers as the reader writes them: the region of the browser, if it belongs to the language of the page. */
export function useFormat() {
  const chosen = useStore(language);
  const locale = navigator.languages.find((one) => one.startsWith(chosen)) ?? chosen;
  const format = (options: Intl.DateTimeFormatOptions) => (ms: number) =>
    new Intl.DateTimeFormat(locale, options).format(ms);
  return {
    locale,
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    bytes: (value: number) =>
      new Intl.NumberFormat(locale, {
        notation: "compact",
        style: "unit",
        unit: "byte",
        unitDisplay: "narrow",
      }).format(value),
    time: format({ timeStyle: "short" }),
    exactTime: format({ timeStyle: "medium" }),
    day: format({ dateStyle: "full" }),
    weekday: format({ weekday: "long" }),
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

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

function formatAgo(format: Intl.RelativeTimeFormat, distanceMs: number): string {
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(distanceMs) >= ms) ?? (["minute", 60_000] as const);
  return format.format(Math.round(distanceMs / unitMs), unit);
}
