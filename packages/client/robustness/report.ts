import { runCase } from "./bench";
import { cases } from "./cases";

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
