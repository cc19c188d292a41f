import type { UsageDay } from "@madang/client";
import { useFormat } from "../../text/format";

interface UsageChartProps {
  readonly days: readonly UsageDay[];
  readonly field: "messages_sent" | "users_created" | "channels_created";
  readonly label: string;
}

/** Bars per day. */
export function UsageChart({ days, field, label }: UsageChartProps) {
  const { shortDay, number } = useFormat();
  const lines = scaleOf(Math.max(...days.map((day) => day[field])));
  const top = lines.at(-1) ?? 0;
  return (
    <div className="chart" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${days.length} ${top}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map((line) => (
          <line key={line} x2={days.length} y1={top - line} y2={top - line} />
        ))}
        {days.map((day, index) => (
          <rect key={day.day} x={index + 0.15} width={0.7} y={top - day[field]} height={day[field]} />
        ))}
      </svg>
      {lines.map((line) => (
        <span key={line} className="chart-number" style={{ bottom: `${(line / top) * 100}%` }}>
          {number(line)}
        </span>
      ))}
      {labelled(days.length).map((index) => (
        <span key={index} className="chart-day" style={{ left: `${((index + 0.5) / days.length) * 100}%` }}>
          {shortDay(Date.parse(`${days[index]?.day}T12:00:00`))}
        </span>
      ))}
    </div>
  );
}

/** From 0 to at least `max` in at most five steps of 1, 2 or 5 times a power of ten. */
function scaleOf(max: number): number[] {
  const atLeast = Math.max(max, 4) / 5;
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = Math.max(1, power * ([1, 2, 5, 10].find((one) => one * power >= atLeast) ?? 10));
  return Array.from({ length: Math.ceil(Math.max(max, 4) / step) + 1 }, (_, index) => index * step);
}

/** At most five days are written below the bars. */
function labelled(count: number): number[] {
  const step = Math.max(1, Math.ceil(count / 5));
  const indexes: number[] = [];
  for (let index = count - 1 - Math.floor(step / 2); index >= 0; index -= step) indexes.unshift(index);
  return indexes;
}
