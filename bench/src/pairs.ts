import type { Operation } from "./operations/operation";
import type { Expectation } from "./row";
import type { Side } from "./sides";

/** Two sides, and the expected ratio of their costs. */
export interface Pair extends Expectation {
  readonly subject: Side;
  readonly baseline: Side;
}

const maxP99Ratio = 1.5;
const minKeyedRatio = 0.85;
/** With two workers, a request may cost 10 % more. */
const minWorkersRatio = 1 / 1.1;

export function pairsOf({ title, target, turn, hasWorkersRow }: Operation): Pair[] {
  const isPost = turn(0, "server", anySizes).some(({ method }) => method === "POST");
  const pairs: Pair[] = [{ title, subject: "server", baseline: "ceiling", target, maxP99Ratio }];
  if (isPost)
    pairs.push(
      { title: `${title}, without keys`, subject: "serverUnkeyed", baseline: "ceilingUnkeyed" },
      {
        title: `${title}, keyed over unkeyed`,
        subject: "server",
        baseline: "serverUnkeyed",
        target: minKeyedRatio,
      },
    );
  if (hasWorkersRow)
    pairs.push({
      title: `${title}, two workers over one`,
      subject: "workers",
      baseline: "server",
      target: minWorkersRatio,
    });
  return pairs;
}

const anySizes = { users: 1_000, channels: 10, pairs: 10, messages: 0 };
