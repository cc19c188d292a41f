import { toDate, useFormat } from "../../text/format";

/** A time in the zone of the reader; the tooltip has it in UTC. */
export function Time({
  ms,
  format = "compactDateTime",
}: {
  ms: number;
  format?: "compactDateTime" | "compactExactTime" | "dateTime" | "date" | "ago" | "time" | "exactTime";
}) {
  const formats = useFormat();
  const iso = toDate(ms).toISOString();
  return (
    <time dateTime={iso} title={iso}>
      {formats[format](ms)}
    </time>
  );
}
