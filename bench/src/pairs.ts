import type { Operation } from "./operations/operation";
import type { Expectation } from "./row";
import type { Side } from "./side";

/** Two sides, and the expected ratio of their costs. */
export interface Pair extends Expectation {
  readonly subject: Side;
  readonly baseline: Side;
  /** If not those of the other pairs. */
  readonly connections?: number;
}

const maxP99Ratio = 1.5;
const minKeyedRatio = 0.85;
const manyConnections = 64;

export function pairsOf({ title, target, targetOfMany, turn }: Operation): Pair[] {
  const isPost = turn(0, "server", anySizes).some(({ method }) => method === "POST");
  const pairs: Pair[] = [{ title, subject: "server", baseline: "baseline", target, maxP99Ratio }];
  if (isPost)
    pairs.push(
      { title: `${title}, without keys`, subject: "serverUnkeyed", baseline: "baselineUnkeyed" },
      {
        title: `${title}, keyed over unkeyed`,
        subject: "server",
        baseline: "serverUnkeyed",
        target: minKeyedRatio,
      },
    );
  if (targetOfMany !== undefined)
    pairs.push({
      title: `${title}, ${manyConnections} connections`,
      subject: "server",
      baseline: "baseline",
      connections: manyConnections,
      target: targetOfMany,
      maxP99Ratio,
    });
  return pairs;
}

const anySizes = { users: 1_000, channels: 10, pairs: 10, messages: 0 };
