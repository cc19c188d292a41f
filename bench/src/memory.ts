import { readFileSync } from "node:fs";
import { historyChannel } from "./dataset";
import type { Findings } from "./findings";
import type { Run } from "./run";
import { median } from "./statistics";
import { createSubKey, createTestbed } from "./testbed";

/*
 * A client that takes 0.1 s to process each page of 1,000 reads 36,000 pages per hour. Here, four clients read as many
 * without a pause, in one or two minutes. A leak per page is the same.
 */

const pagesPerHour = 36_000;
const clients = 4;
const sampleMs = 1_000;
/** Ignored, because Node's heap is still growing to its final size. */
const warmUpShare = 0.2;
/** Garbage collection makes the resident set vary by this factor within a second. */
const maxGrowth = 1.1;

interface Sample {
  readonly pages: number;
  readonly mb: number;
}

/** Exports all pages repeatedly, from the newest to the oldest, and samples the server's resident set. */
export async function measureMemory({ options, settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const server = await testbed.startServer();
  const apiKey = await createSubKey(server.url);
  const pages = options.quick ? pagesPerHour / 4 : pagesPerHour;
  const idleMb = residentMb(server.pid);
  let done = 0;
  const samples: Sample[] = [];
  const timer = setInterval(() => samples.push({ pages: done, mb: residentMb(server.pid) }), sampleMs);
  const startedAt = performance.now();
  const exportPages = async () => {
    let next: string | undefined;
    while (done < pages) {
      next = await fetchPage(server.url, apiKey, next);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, exportPages));
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1_000;

  const settled = samples.filter((sample) => sample.pages > pages * warmUpShare);
  const third = Math.floor(settled.length / 3);
  if (third < 3) throw new Error("The export ended before its memory could be sampled.");
  const medianOf = (some: readonly Sample[]) => median(some.map(({ mb }) => mb));
  const [early, late] = [medianOf(settled.slice(0, third)), medianOf(settled.slice(-third))];
  const mb = (value: number, digits = 0) => `${value.toFixed(digits)} MB`;
  const rows = [
    ["resident set of the server", ""],
    ["pages of 1,000 messages", pages.toLocaleString("en-US")],
    ["duration", `${seconds.toFixed(0)} s`],
    ["before the first page", mb(idleMb)],
    ["maximum, after a fifth of the pages", mb(Math.max(...settled.map((sample) => sample.mb)))],
    ["first third of the rest, median", mb(early)],
    ["last third, median", mb(late)],
    ["slope, per 1,000 pages", mb(slopeOf(settled) * 1_000, 2)],
  ];
  const notes = late > early * maxGrowth ? [`The resident set grew from ${mb(early)} to ${mb(late)}.`] : [];
  return { tables: [rows], notes, data: { pages, seconds, idleMb, samples } };
}

/** By least squares. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (of: keyof Sample) => samples.reduce((sum, sample) => sum + sample[of], 0) / samples.length;
  const [pages, mb] = [mean("pages"), mean("mb")];
  const both = samples.reduce((sum, sample) => sum + (sample.pages - pages) * (sample.mb - mb), 0);
  return both / samples.reduce((sum, sample) => sum + (sample.pages - pages) ** 2, 0);
}

/** Returns the cursor of the next page. Undefined on the last page, after which a client starts again. */
async function fetchPage(url: string, apiKey: string, next: string | undefined): Promise<string | undefined> {
  const query = next === undefined ? "limit=1000" : `next=${next}`;
  const response = await fetch(`${url}/v1/exports/group/channels/${historyChannel}/messages?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const text = await response.text();
  if (response.status !== 200 || !text.endsWith("}")) throw new Error(`A page failed: ${response.status}`);
  return /"next":"([^"]+)"\}$/.exec(text.slice(-2_000))?.[1];
}

/** The resident set. Only Linux reports it. */
export function residentMb(pid: number): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}
