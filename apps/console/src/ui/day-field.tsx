interface DayFieldProps {
  readonly label: string;
  /** As `YYYY-MM-DD`. Empty: no day. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A day of the calendar, in the zone of the reader. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <input
      type="date"
      className="day-field"
      aria-label={label}
      title={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
