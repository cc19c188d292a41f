import type { UsageDay } from "@madang/client";
import { useEffect, useRef, useSyncExternalStore } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useStore } from "../../api/store";
import { theme } from "../../shell/preferences";
import { useFormat } from "../../text/format";

interface UsageChartProps {
  readonly days: readonly UsageDay[];
  readonly field: "messages_sent" | "users_created" | "channels_created";
  readonly label: string;
}

const height = 150;
const bars = UPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 });
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/** Bars per day, drawn again when the days, the width, the colours or the language change. */
export function UsageChart({ days, field, label }: UsageChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const chosenTheme = useStore(theme);
  const isDark = useSyncExternalStore(subscribeToScheme, () => darkScheme.matches);
  const { locale, shortDay, number } = useFormat();
  const formats = useRef({ shortDay, number });
  formats.current = { shortDay, number };

  useEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const chart = draw(parent, days, field, formats.current);
    const observer = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, field, chosenTheme, isDark, locale]);

  return <div className="chart" role="img" aria-label={label} ref={element} />;
}

interface Formats {
  readonly shortDay: (ms: number) => string;
  readonly number: (value: number) => string;
}

function draw(
  parent: HTMLElement,
  days: readonly UsageDay[],
  field: UsageChartProps["field"],
  formats: Formats,
) {
  const { color: quiet, borderTopColor: grid, accentColor: accent } = getComputedStyle(parent);
  const text = { stroke: quiet, font: "11px system-ui, sans-serif" };
  return new UPlot(
    {
      width: parent.clientWidth,
      height,
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      // The first and the last bar are not cut.
      scales: {
        x: { time: false, range: [-0.6, days.length - 0.4] },
        y: { range: (_, __, max) => [0, Math.max(max, 4)] },
      },
      axes: [
        {
          ...text,
          grid: { show: false },
          ticks: { show: false },
          splits: () => labelled(days.length),
          values: (_, indexes) =>
            indexes.map((index) => formats.shortDay(Date.parse(`${days[index]?.day}T12:00:00`))),
          size: 24,
        },
        {
          ...text,
          side: 1,
          grid: { stroke: grid, width: 1 },
          ticks: { show: false },
          incrs: [
            1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6,
            1e7,
          ],
          values: (_, values) => values.map(formats.number),
          size: 42,
        },
      ],
      series: [
        {},
        {
          fill: accent,
          width: 0,
          ...(bars && { paths: bars }),
          points: { show: false },
        },
      ],
    },
    [days.map((_, index) => index), days.map((day) => day[field])],
    parent,
  );
}

/** At most five days are written below the bars. */
function labelled(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 5));
  const indexes: number[] = [];
  for (let index = count - 1 - Math.floor(step / 2); index >= 0; index -= step) indexes.unshift(index);
  return indexes;
}

function subscribeToScheme(listener: () => void): () => void {
  darkScheme.addEventListener("change", listener);
  return () => darkScheme.removeEventListener("change", listener);
}
