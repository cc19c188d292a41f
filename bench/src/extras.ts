import { type Contest, loadSide } from "./contest";
import type { Contestant } from "./contestant";
import { measureDeletion } from "./deletion";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import type { Settings } from "./report";
import { makeSubKey, type Stage } from "./stage";

/** Something that the project promises, and what was measured of it. */
export interface Finding {
  readonly title: string;
  readonly value: number;
  readonly unit: string;
  readonly bound?: { readonly most: number } | { readonly least: number };
}

/** What is asked of the server beyond single operations. The last of it destroys the stage's history. */
export async function measureExtras(stage: Stage, settings: Settings): Promise<Finding[]> {
  const one = await contestOf(stage, settings, []);
  const exporting = await load(one.contest, "exports.1000.newest", {});
  const [whileExporting] = await Promise.all([
    load(one.contest, "users.get", { connections: 4 }),
    load(one.contest, "exports.1000.newest", { connections: 4 }),
  ]);
  await one.stop();
  const two = await contestOf(stage, settings, ["--workers", "2"]);
  await load(two.contest, "exports.1000.newest", {});
  const shared = await load(two.contest, "exports.1000.newest", {});
  await two.stop();
  let whileClearingP99Ms = Number.NaN;
  const deletion = await measureDeletion(stage, async (server, key) => {
    const contest = { stage, sides: { server, ceiling: server }, settings, key };
    whileClearingP99Ms = (await load(contest, "users.get", { connections: 4 })).p99Ms;
  });
  const history = settings.sizes.messages.toLocaleString("en-US");
  return [
    { title: "cold start", value: one.startMs, unit: "ms", bound: { most: 1_000 } },
    {
      title: "p99 of a get beside four exporting clients",
      value: whileExporting.p99Ms,
      unit: "ms",
      bound: { most: 25 },
    },
    {
      title: "pages a second of two workers, of those of one process",
      value: shared.perSecond / exporting.perSecond,
      unit: "",
      bound: { least: 1.3 },
    },
    {
      title: `deleting a channel of ${history} messages answers after`,
      value: deletion.answerMs,
      unit: "ms",
      bound: { most: 50 },
    },
    { title: "p99 of a get while its messages are being cleared", value: whileClearingP99Ms, unit: "ms" },
    { title: "left when the server is killed in the middle", value: deletion.leftAtKill, unit: "rows" },
    { title: "the whole clearing, a new start apart", value: deletion.clearingSeconds, unit: "s" },
    { title: "left at the end", value: deletion.leftAtEnd, unit: "rows", bound: { most: 0 } },
  ];
}

async function contestOf(stage: Stage, settings: Settings, options: readonly string[]) {
  const startedAt = performance.now();
  const server: Contestant = await stage.startServer([], options);
  const startMs = performance.now() - startedAt;
  const key = await makeSubKey(server.url);
  const contest: Contest = { stage, sides: { server, ceiling: server }, settings, key };
  // Node compiles what is hot; that is over before anything counts.
  await load(contest, "exports.1000.newest", {});
  return { contest, startMs, stop: server.stop };
}

async function load(contest: Contest, id: string, change: Partial<Settings>): Promise<Measured> {
  const changed = { ...contest, settings: { ...contest.settings, ...change } };
  const measured = await loadSide(changed, findOperation(id), "server", { server: 0, ceiling: 0 });
  if (measured.failed > 0) throw new Error(`${id}: ${measured.failed} requests failed.`);
  return measured;
}

export function rowsOf(findings: readonly Finding[]): string[][] {
  const lines = findings.map(({ title, value, unit, bound }) => {
    const digits = unit === "rows" ? 0 : unit === "" ? 2 : 1;
    const shown = value.toLocaleString("en-US", {
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
    });
    return [title, `${shown} ${unit}`.trim(), ...judge(value, bound)];
  });
  return [["", "measured", "asked for", ""], ...lines];
}

function judge(value: number, bound: Finding["bound"]): [string, string] {
  if (bound === undefined) return ["", ""];
  const [asked, isMet] =
    "most" in bound
      ? [`at most ${bound.most.toLocaleString("en-US")}`, value <= bound.most]
      : [`at least ${bound.least}`, value >= bound.least];
  return [asked, isMet ? "" : "not met"];
}
