import { readFileSync } from "node:fs";
import { makeSubKey, type Stage } from "./stage";
import { median } from "./statistics";
import { bigRoom } from "./world";

/*
 * An hour of an export, shortened. A client that works on each page for a tenth of a second takes 36,000 pages of 1,000
 * an hour. Here four clients take as many without a pause, so that the same pages go through the server in a minute or
 * two; what leaks with a page leaks all the same.
 */

export const pagesAnHour = 36_000;

const clients = 4;
const sampleMs = 1_000;
/** Until then Node is still settling how much memory it keeps. */
const warmUpShare = 0.2;
/** The end may lie so far above the beginning: garbage comes and goes by more than this within a second. */
const mostGrowth = 1.1;

export interface Memory {
  readonly pages: number;
  readonly seconds: number;
  readonly idleMb: number;
  readonly mostMb: number;
  /** The median of the first and of the last third of what was sampled after the warm-up. */
  readonly earlyMb: number;
  readonly lateMb: number;
  readonly mbPerThousandPages: number;
  readonly fault: string | undefined;
}

/** Exports page after page, from the newest to the oldest and again, and watches the resident set of the server. */
export async function measureMemory(stage: Stage, pages: number): Promise<Memory> {
  const server = await stage.startServer();
  try {
    const key = await makeSubKey(server.url);
    const idleMb = residentMb(server.pid);
    let done = 0;
    const samples: { pages: number; mb: number }[] = [];
    const timer = setInterval(() => samples.push({ pages: done, mb: residentMb(server.pid) }), sampleMs);
    const startedAt = performance.now();
    const exportSome = async () => {
      let next: string | undefined;
      while (done < pages) {
        next = await fetchPage(server.url, key, next);
        done += 1;
      }
    };
    try {
      await Promise.all(Array.from({ length: clients }, exportSome));
    } finally {
      clearInterval(timer);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const settled = samples.filter((sample) => sample.pages > pages * warmUpShare);
    return { pages, seconds, idleMb, ...judge(settled) };
  } finally {
    await server.stop();
  }
}

function judge(samples: readonly { pages: number; mb: number }[]) {
  const third = Math.floor(samples.length / 3);
  if (third < 3) throw new Error("The export was over before its memory could be watched.");
  const middleOf = (some: readonly { mb: number }[]) => median(some.map(({ mb }) => mb));
  const earlyMb = middleOf(samples.slice(0, third));
  const lateMb = middleOf(samples.slice(-third));
  return {
    mostMb: Math.max(...samples.map(({ mb }) => mb)),
    earlyMb,
    lateMb,
    mbPerThousandPages: slopeOf(samples) * 1_000,
    fault:
      lateMb > earlyMb * mostGrowth
        ? `The resident set grew from ${earlyMb.toFixed(0)} to ${lateMb.toFixed(0)} MB.`
        : undefined,
  };
}

/** By least squares. */
function slopeOf(samples: readonly { pages: number; mb: number }[]): number {
  const mean = (of: "pages" | "mb") => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [pages, mb] = [mean("pages"), mean("mb")];
  const both = samples.reduce((sum, sample) => sum + (sample.pages - pages) * (sample.mb - mb), 0);
  return both / samples.reduce((sum, sample) => sum + (sample.pages - pages) ** 2, 0);
}

/** Gives the cursor at the end of the page; none on the last, after which a client begins anew. */
async function fetchPage(url: string, key: string, next: string | undefined): Promise<string | undefined> {
  const query = next === undefined ? "limit=1000" : `next=${next}`;
  const response = await fetch(`${url}/v1/exports/group/channels/${bigRoom}/messages?${query}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  if (response.status !== 200 || !text.endsWith("}")) throw new Error(`A page failed: ${response.status}`);
  return /"next":"([^"]+)"\}$/.exec(text.slice(-2_000))?.[1];
}

/** Linux alone tells it. */
function residentMb(pid: number): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

export function rowsOf(memory: Memory): string[][] {
  const mb = (value: number) => `${value.toFixed(0)} MB`;
  return [
    ["resident set of the server", ""],
    ["pages of 1,000 messages", memory.pages.toLocaleString("en-US")],
    ["taken within", `${memory.seconds.toFixed(0)} s`],
    ["before the first page", mb(memory.idleMb)],
    ["most, after a fifth of the pages", mb(memory.mostMb)],
    ["first third of the rest, median", mb(memory.earlyMb)],
    ["last third, median", mb(memory.lateMb)],
    ["slope, per 1,000 pages", `${memory.mbPerThousandPages.toFixed(2)} MB`],
  ];
}
