import { fileURLToPath } from "node:url";
import { contextOf, createTarget, loadSide, type Target } from "../compare";
import type { Findings } from "../findings";
import { notesOn, tableOf } from "../report";
import { judge, type Round, type Row } from "../row";
import type { Run } from "../run";
import { createTestbed } from "../testbed";
import { createParseDatabase, fillParseDatabase } from "./dataset";
import { installParseServer } from "./install";
import { type Match, matches } from "./matches";

const program = fileURLToPath(new URL("./parse-server.js", import.meta.url));
const parseKey = "a-master-key-of-the-benchmark";
const headers = { "x-parse-application-id": "bench", "x-parse-master-key": parseKey };

/** Parse Server and our server on one PostgreSQL, with the operations that come nearest to each other. */
export async function compareWithParseServer({ options, settings, resources }: Run): Promise<Findings> {
  const folder = await installParseServer(options.output);
  const testbed = await createTestbed(resources, settings.sizes);
  const url = await createParseDatabase(testbed.database);
  const environment = { DATABASE_URL: url, PARSE_FOLDER: folder, PARSE_MASTER_KEY: parseKey };
  const parseServer = await testbed.start([program], environment);
  await fillParseDatabase(url, parseServer.url, headers, settings.sizes);
  const ours = await createTarget(testbed, await testbed.startServer(), settings);
  const theirs = { ...ours, server: parseServer, headers };
  const rows: Row[] = [];
  for (const match of matches) rows.push(await compareMatch(match, ours, theirs));
  return { tables: [tableOf(rows)], notes: notesOn(rows), data: rows };
}

async function compareMatch(match: Match, ours: Target, theirs: Target): Promise<Row> {
  await match.ours.prepare?.(contextOf(ours));
  await requireResults(match, theirs);
  const turns = { ours: { next: 0 }, theirs: { next: 0 } };
  const loadBoth = async (measuredMs?: number): Promise<Round> => ({
    subject: await loadSide(ours, match.ours, "server", turns.ours, measuredMs),
    baseline: await loadSide(theirs, match.theirs, "server", turns.theirs, measuredMs),
  });
  await loadBoth(ours.settings.compileMs);
  const rounds: Round[] = [];
  for (let round = 0; round < ours.settings.rounds; round += 1) rounds.push(await loadBoth());
  return judge({ title: match.ours.title }, rounds, 1);
}

interface Found {
  readonly name?: string;
  readonly sender?: { readonly name?: string };
}

/** Their response must hold what ours does: as many objects, and of each message its sender. */
async function requireResults({ theirs, results }: Match, target: Target): Promise<void> {
  const [call] = theirs.turn(0, "server", target.settings.sizes);
  if (call === undefined || call.method !== "GET") return;
  // Their own form: one object, or a list of them.
  const body = (await contextOf(target).get(call.path)) as Found & { results?: Found[] };
  const found: readonly Found[] = body.results ?? [body];
  const isComplete = found.every((one) => (one.name ?? one.sender?.name) !== undefined);
  if (!isComplete || found.length !== (results ?? 1))
    throw new Error(`Parse Server responds to ${theirs.title} with something else.`);
}
