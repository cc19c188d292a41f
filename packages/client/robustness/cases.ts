import { type Case, runCase } from "./case";
import { keys } from "./cases/keys";
import { lists } from "./cases/lists";
import { responses } from "./cases/responses";
import { time } from "./cases/time";
import { webhooks } from "./cases/webhooks";

/** Everything that the faulty server does, and how the SDK must react. */
export const cases: readonly Case[] = [...lists, ...responses, ...time, ...keys, ...webhooks];

export interface Outcome {
  readonly name: string;
  /** The error; absent if the case passed. */
  readonly fault?: string;
}

/** Runs every case, four at a time. */
export async function runCases(server: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = cases.values();
  const work = async () => {
    for (const each of waiting) {
      try {
        await runCase(each, server);
        outcomes.push({ name: each.name });
      } catch (error) {
        outcomes.push({ name: each.name, fault: String(error) });
      }
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return outcomes;
}
