import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Badge } from "./badge";

const durationsMs = new Map([
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
]);

/** How long a mute, a ban or a suspension lasts, for a dialog that calls `untilOf`. */
export function DurationField() {
  const t = useTexts();
  const options = [
    ["hour", t.oneHour],
    ["day", t.oneDay],
    ["week", t.oneWeek],
    ["forever", t.withoutEnd],
  ] as const;
  return (
    <fieldset className="field">
      <legend>{t.howLong}</legend>
      <div className="choices">
        {options.map(([value, label]) => (
          <label key={value} className="choice">
            <input type="radio" name="duration" value={value} defaultChecked={value === "day"} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** When what was chosen ends. Undefined: without end. */
export function untilOf(form: FormData): number | undefined {
  const durationMs = durationsMs.get(String(form.get("duration")));
  return durationMs === undefined ? undefined : Date.now() + durationMs;
}

/** Whether a mute or suspension has not ended since it was fetched. 0: it has no end. */
export const isInForce = (until: number | undefined) =>
  until !== undefined && (until === 0 || until > Date.now());

/** That somebody is muted or suspended, and until when. */
export function RestrictionBadge({ label, until }: { label: string; until: number | undefined }) {
  const t = useTexts();
  const { compactDateTime } = useFormat();
  if (until === undefined || !isInForce(until)) return null;
  if (until === 0) return <Badge look="warning">{label}</Badge>;
  const full = t.restrictedUntil(label, compactDateTime(until));
  return (
    <Badge look="warning">
      <span className="wide">{full}</span>
      <span className="narrow" title={full}>
        {label}
      </span>
    </Badge>
  );
}
