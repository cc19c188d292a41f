import { fileURLToPath } from "node:url";
import { worldOf } from "../contest";
import { startContestant } from "../contestant";
import { clockOf } from "../cpu";
import { type Load, type Measured, measure } from "../load";
import { type Settings, widestSpread } from "../report";
import { makeSubKey, type Stage } from "../stage";
import { median, type Ratio, summarize } from "../statistics";
import { installParseServer } from "./install";
import { type Match, matches } from "./operations";
import { createPeerDatabase, fillPeer } from "./world";

export interface Compared {
  readonly title: string;
  /** Requests a second, medians. */
  readonly ours: number;
  readonly theirs: number;
  /** How many times as many requests as theirs. */
  readonly times: Ratio;
  readonly refusal: string | undefined;
}

const program = fileURLToPath(new URL("./parse-server.js", import.meta.url));
const parseKey = "a-master-key-of-the-benchmark";
const headers = { "x-parse-application-id": "bench", "x-parse-master-key": parseKey };

/** Loads Parse Server and our server in turn, on one PostgreSQL, with the operations that come nearest to each other. */
export async function measurePeers(stage: Stage, settings: Settings, results: string): Promise<Compared[]> {
  const folder = await installParseServer(results);
  const url = await createPeerDatabase(stage.database, "parse");
  const environment = { DATABASE_URL: url, PARSE_FOLDER: folder, PARSE_MASTER_KEY: parseKey };
  const theirs = await startContestant([program], environment, `${folder}/output.log`);
  const ours = await stage.startServer();
  try {
    await fillPeer(url, theirs.url, headers, settings.sizes);
    const key = await makeSubKey(ours.url);
    const world = worldOf({ stage, sides: { server: ours, ceiling: theirs }, key, settings });
    const clocks = (pid: number) => ({ node: clockOf(pid), postgres: stage.postgresClock });
    const turns = { ours: 0, theirs: 0 };
    const loads = (match: Match): Record<"ours" | "theirs", Load> => ({
      ours: {
        ...settings,
        side: "server",
        operation: match.ours,
        url: ours.url,
        headers: { authorization: `Bearer ${key}` },
        nextTurn: () => turns.ours++,
        clocks: clocks(ours.pid),
      },
      theirs: {
        ...settings,
        side: "server",
        operation: match.theirs,
        url: theirs.url,
        headers,
        nextTurn: () => turns.theirs++,
        clocks: clocks(theirs.pid),
      },
    });
    const compared: Compared[] = [];
    for (const match of matches) {
      await match.ours.prepare?.(world);
      await requireAnswer(match, theirs.url, settings);
      const { ours: our, theirs: their } = loads(match);
      const rounds: { ours: Measured; theirs: Measured }[] = [];
      // In the first round Node still compiles.
      for (let round = 0; round <= settings.rounds; round += 1)
        rounds.push({ ours: await measure(our), theirs: await measure(their) });
      compared.push(judge(match, rounds.slice(1)));
    }
    return compared;
  } finally {
    await theirs.stop();
    await ours.stop();
  }
}

interface Shown {
  readonly name?: string;
  readonly sender?: { readonly name?: string };
}

/** That an answer of theirs holds what ours does: as many objects, and of each message its sender. */
async function requireAnswer({ theirs, results }: Match, url: string, { sizes }: Settings): Promise<void> {
  const [call] = theirs.turn(0, "server", sizes);
  if (call === undefined || call.method !== "GET") return;
  const response = await fetch(url + call.path, { headers });
  const text = await response.text();
  // Its own form: one object, or a list of them.
  const body = JSON.parse(text) as Shown & { results?: Shown[] };
  const shown: readonly Shown[] = body.results ?? [body];
  const isWhole = shown.every((one) => (one.name ?? one.sender?.name) !== undefined);
  if (response.status !== 200 || !isWhole || shown.length !== (results ?? 1))
    throw new Error(`Parse Server answered ${theirs.title} with something else: ${text.slice(0, 300)}`);
}

function judge({ ours }: Match, rounds: readonly { ours: Measured; theirs: Measured }[]): Compared {
  const times = summarize(rounds.map((round) => round.ours.perSecond / round.theirs.perSecond));
  const failed = rounds.reduce((sum, round) => sum + round.ours.failed + round.theirs.failed, 0);
  return {
    title: ours.title,
    ours: median(rounds.map((round) => round.ours.perSecond)),
    theirs: median(rounds.map((round) => round.theirs.perSecond)),
    times,
    refusal:
      failed > 0
        ? `${failed} requests failed`
        : times.spread > widestSpread
          ? `the rounds lie ${(times.spread * 100).toFixed(0)} % apart`
          : undefined,
  };
}

export function rowsOf(compared: readonly Compared[]): string[][] {
  const head = ["requests a second", "Madang", "Parse Server", "times", "spread"];
  const whole = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  const lines = compared.map(({ title, ours, theirs, times, refusal }) => [
    title,
    whole(ours),
    whole(theirs),
    refusal === undefined ? times.middle.toFixed(1) : "–",
    `${(times.spread * 100).toFixed(0)} %`,
  ]);
  return [head, ...lines];
}
