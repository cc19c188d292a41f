import { findDifference } from "./compare";
import type { Contestant } from "./contestant";
import { clockOf } from "./cpu";
import { type Load, measure } from "./load";
import type { Operation, Side, World } from "./operations/operation";
import { judge, type Result, type Settings } from "./report";
import type { Stage } from "./stage";
import type { Round } from "./statistics";

export interface Contest {
  readonly stage: Stage;
  readonly sides: Readonly<Record<Side, Contestant>>;
  readonly key: string;
  readonly settings: Settings;
}

/** One operation: first whether both sides answer alike, then A B A B, each with a warm-up that does not count. */
export async function runOperation(contest: Contest, operation: Operation): Promise<Result> {
  const { sides, key, settings } = contest;
  await operation.prepare?.(worldOf(contest));
  const turns = { server: 0, ceiling: 0 };
  for (const side of ["server", "ceiling"] as const)
    await operation.supply?.(worldOf(contest), side, 0, mostTurns(settings));
  const urls = { server: sides.server.url, ceiling: sides.ceiling.url };
  const difference = await findDifference(operation, settings.sizes, urls, key);
  if (difference !== undefined) return judge(operation, [], difference);
  turns.server = turns.ceiling = 10;

  // Node compiles what is hot; that is over before anything counts.
  for (const side of ["server", "ceiling"] as const) await loadSide(contest, operation, side, turns);
  const rounds: Round[] = [];
  const load = (side: Side) => loadSide(contest, operation, side, turns);
  for (let round = 0; round < settings.rounds; round += 1)
    rounds.push({ server: await load("server"), ceiling: await load("ceiling") });
  return judge(operation, rounds);
}

export async function loadSide(
  contest: Contest,
  operation: Operation,
  side: Side,
  turns: Record<Side, number>,
): ReturnType<typeof measure> {
  const { stage, sides, key, settings } = contest;
  await operation.supply?.(worldOf(contest), side, turns[side], mostTurns(settings));
  const load: Load = {
    ...settings,
    operation,
    side,
    headers: { authorization: `Bearer ${key}` },
    url: sides[side].url,
    nextTurn: () => turns[side]++,
    clocks: { node: clockOf(sides[side].pid), postgres: stage.postgresClock },
  };
  return measure(load);
}

/** More than any side gets through in one turn of the contest. */
const mostTurns = ({ warmUpMs, measuredMs }: Settings) =>
  Math.ceil(((warmUpMs + measuredMs) / 1_000) * 15_000);

export function worldOf({ stage, sides, key, settings }: Contest): World {
  const ask = async (path: string) => {
    const response = await fetch(sides.server.url + path, { headers: { authorization: `Bearer ${key}` } });
    return response.json();
  };
  return { sizes: settings.sizes, database: stage.database, ask };
}
