import { describeWithCauses } from "../../errors/thrown";

const intervalMs = 1_000;

/**
 * While the database does not respond, or all connections are in use, everything fails for the same reason. Each second has one line
 * for each reason, with its causes and without a stack.
 */
export function countReasons(
  write: (line: { readonly reason: string; readonly count: number }) => void,
): (thrown: unknown) => void {
  const counts = new Map<string, number>();
  const flush = () => {
    for (const [reason, count] of counts) write({ reason, count });
    counts.clear();
  };
  return (thrown) => {
    const reason = describeWithCauses(thrown);
    if (counts.size === 0) setTimeout(flush, intervalMs);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
}
