import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Findings } from "../../results/findings";
import { processorTimeMs, totalProcessorTimeMs } from "../../results/processor-time";
import { median, summarize } from "../../results/statistics";
import { busyChannel, channelIdAt } from "../../servers/dataset";
import type { Run } from "../../servers/target";
import { createTarget, type Target } from "../../servers/target";
import { createTestbed } from "../../servers/testbed";
import { measureCommands } from "./commands";
import { copyColumns, createRequests, formatForCopy, type ImportRequest } from "./import-rows";
import { measureLargeBodies } from "./turns-of-imports";

const clients = 4;
const rounds = 5;
const minPerSecond = 20_000;
const minOfCopy = 0.3;
const maxTurnMs = 20;

const shapes: Readonly<Record<string, readonly string[]>> = {
  "into one channel": [busyChannel],
  "over 1,000 channels": Array.from({ length: 1_000 }, (_, index) => channelIdAt(index + 1)),
};

/** Imports through the server and COPY of the same rows in turn, requests of 8 MB, and the command line. */
export async function measureImports(run: Run): Promise<Findings> {
  const { options, settings, resources } = run;
  const messages = options.quick ? 50_000 : 200_000;
  const testbed = await createTestbed(resources, {
    users: 1_000,
    channels: 1_000,
    pairs: 1,
    messages: 1_000,
  });
  const server = await testbed.startServer();
  const target = await createTarget(testbed, server, settings);
  const folder = await mkdtemp(join(tmpdir(), "madang-copy-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another user, who reads the rows.
  await chmod(folder, 0o755);
  const results: Result[] = [];
  for (const [shape, channelIds] of Object.entries(shapes))
    results.push(await compareWithCopy(target, shape, channelIds, messages, join(folder, "rows")));
  await server.stop();
  const turnsMs = await measureLargeBodies(testbed, options.quick ? 5 : 20);
  const commands = await measureCommands(run);
  const worstTurns = turnsMs.map(({ title, medianMs, maxMs }) => [
    title,
    medianMs.toFixed(1),
    maxMs.toFixed(1),
    String(maxTurnMs),
    verdict(medianMs <= maxTurnMs),
  ]);
  return {
    tables: [
      tableOf(results),
      [["request of 8 MB", "longest turn, ms", "max of the rounds", "at most", ""], ...worstTurns],
      commands.table,
    ],
    notes: [
      `COPY reads the rows from a file, in one session; the server gets requests of ${clients} clients.`,
    ],
    data: { results, turnsMs, commands: commands.data },
  };
}

interface Round {
  readonly perSecond: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
}

interface Result {
  readonly shape: string;
  readonly imports: readonly Round[];
  readonly copies: readonly Round[];
}

async function compareWithCopy(
  target: Target,
  shape: string,
  channelIds: readonly string[],
  messages: number,
  file: string,
): Promise<Result> {
  const { database, postgresPids } = target.testbed;
  const imports: Round[] = [];
  const copies: Round[] = [];
  const measure = async (work: () => Promise<unknown>): Promise<Round> => {
    await database.query("CHECKPOINT");
    const clocks = () => [
      performance.now(),
      processorTimeMs(target.server.pid),
      totalProcessorTimeMs(postgresPids),
    ];
    const [start = 0, node = 0, postgres = 0] = clocks();
    await work();
    const [end = 0, nodeAfter = 0, postgresAfter = 0] = clocks();
    const thousands = messages / 1_000;
    return {
      perSecond: messages / ((end - start) / 1_000),
      nodeMs: (nodeAfter - node) / thousands,
      postgresMs: (postgresAfter - postgres) / thousands,
    };
  };
  // In the first round, Node compiles hot code.
  for (let round = 0; round <= rounds; round += 1) {
    const bodies = createRequests(round, messages, channelIds).map(encode);
    await writeFile(
      file,
      await formatForCopy(database, createRequests(round + rounds + 1, messages, channelIds)),
    );
    const imported = await measure(() => importAll(target, bodies));
    const copied = await measure(() => database.query(`COPY messages (${copyColumns}) FROM '${file}'`));
    if (round > 0) {
      imports.push(imported);
      copies.push(copied);
    }
  }
  return { shape, imports, copies };
}

interface EncodedRequest {
  readonly path: string;
  readonly body: Buffer;
}

/** Encoded before the time is taken: only the server is measured. */
const encode = ({ channelId, messages }: ImportRequest): EncodedRequest => ({
  path: `/v1/imports/group/channels/${channelId}/messages`,
  body: Buffer.from(JSON.stringify({ messages })),
});

async function importAll({ server, headers }: Target, requests: readonly EncodedRequest[]): Promise<void> {
  const queue = requests.values();
  const send = async () => {
    for (const { path, body } of queue) {
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "idempotency-key": randomUUID() },
        body,
      });
      const text = await response.text();
      if (response.status !== 200 || !text.includes('"skipped":0'))
        throw new Error(`An import failed: ${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, send));
}

function tableOf(results: readonly Result[]): string[][] {
  const head = [
    "import",
    "messages/s",
    "at least",
    "of COPY",
    "at least",
    "spread",
    "Node, ms per 1,000",
    "PostgreSQL",
    "COPY, messages/s",
    "PostgreSQL",
    "",
  ];
  const medianOf = (some: readonly Round[], name: keyof Round) => median(some.map((round) => round[name]));
  const lines = results.map(({ shape, imports, copies }) => {
    const ofCopy = summarize(
      imports.map(({ perSecond }, round) => perSecond / (copies[round]?.perSecond ?? 0)),
    );
    const perSecond = medianOf(imports, "perSecond");
    return [
      shape,
      formatInteger(perSecond),
      formatInteger(minPerSecond),
      ofCopy.median.toFixed(2),
      minOfCopy.toFixed(2),
      `${(ofCopy.spread * 100).toFixed(0)} %`,
      medianOf(imports, "nodeMs").toFixed(1),
      medianOf(imports, "postgresMs").toFixed(1),
      formatInteger(medianOf(copies, "perSecond")),
      medianOf(copies, "postgresMs").toFixed(1),
      verdict(perSecond >= minPerSecond && ofCopy.median >= minOfCopy),
    ];
  });
  return [head, ...lines];
}

const verdict = (isReached: boolean) => (isReached ? "reached" : "not reached");
const formatInteger = (value: number) => Math.round(value).toLocaleString("en-US");
