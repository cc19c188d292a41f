import { useEffect, useId, useState } from "react";
import { useFormat } from "../../text/format";

interface DayFieldProps {
  readonly label: string;
  /** As `YYYY-MM-DD`. Empty: no day. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/**
 * A day of the calendar, in the zone of the reader. The field is the one of the browser, in the language of the browser; the day is written
 * out below it in the language of the page. It does not report the years that come up while one is typed, such as 0002.
 */
export function DayField({ label, value, onChange }: DayFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const hintId = useId();
  const { day, zone, zoneName } = useFormat();
  const start = rangeOf(value)?.since;
  return (
    <span className="day-field">
      <label>
        {label}
        <input
          type="date"
          value={text}
          aria-describedby={hintId}
          onChange={({ target }) => {
            setText(target.value);
            if (target.value === "" || rangeOf(target.value) !== undefined) onChange(target.value);
          }}
        />
      </label>
      <small id={hintId} title={zoneName}>
        {start === undefined ? zone(Date.now()) : `${day(start)}, ${zone(start)}`}
      </small>
    </span>
  );
}

/** A day in the zone of the reader, which may have 23 or 25 hours. Undefined for what is no day, and for days before 1970. */
export function rangeOf(day: string): { since: number; until: number } | undefined {
  const start = new Date(`${day}T00:00`);
  if (!(start.getTime() >= 0)) return undefined;
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  return { since: start.getTime(), until: end.getTime() };
}
