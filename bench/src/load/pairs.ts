import type { Operation } from "../operations/operation";
import type { Expectation } from "../results/row";
import type { Side } from "../servers/side";

/** Two sides, and the expected ratio of their costs. */
export interface Pair extends Expectation {
  readonly subject: Side;
  readonly baseline: Side;
  /** If not those of the other pairs. */
  readonly connections?: number;
}

const manyConnections = 64;
/** What takes longer does not seem to happen at once (Miller, 1968). */
const noticedMs = 100;

export function pairsOf({ title, isAwaited, hasMany, turn }: Operation): Pair[] {
  const isChange = turn(0, "server", anySizes).some(({ method }) => method !== "GET");
  const maxP99Ms = isAwaited ? noticedMs : undefined;
  const pairs: Pair[] = [{ title, subject: "server", baseline: "baseline", maxP99Ms }];
  if (isChange)
    pairs.push(
      { title: `${title}, without keys`, subject: "serverUnkeyed", baseline: "baselineUnkeyed" },
      { title: `${title}, keyed over unkeyed`, subject: "server", baseline: "serverUnkeyed" },
    );
  if (hasMany)
    pairs.push({
      title: `${title}, ${manyConnections} connections`,
      subject: "server",
      baseline: "baseline",
      connections: manyConnections,
      maxP99Ms,
    });
  return pairs;
}

const anySizes = { users: 1_000, channels: 10, pairs: 10, messages: 0 };
