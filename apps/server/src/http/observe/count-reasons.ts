import { codeOf } from "../../errors/code-of";

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
    const reason = describe(thrown);
    if (counts.size === 0) setTimeout(flush, intervalMs);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
}

/** With its causes, of which a chain may be a circle. */
function describe(thrown: unknown, maxCauses = 3): string {
  if (!(thrown instanceof Error)) return String(thrown);
  // When a connection to several addresses fails, Node's error has an empty message.
  const reason = thrown.message || codeOf(thrown) || thrown.name;
  const { cause } = thrown;
  return cause === undefined || maxCauses === 0 ? reason : `${reason} ${describe(cause, maxCauses - 1)}`;
}
