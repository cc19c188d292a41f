import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../properties/judge";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { report, rowOf } from "../support/report";
import { prepareCrowd, rooms, startLoad } from "./load";
import { startProcess } from "./process";

/** Only on demand, because it proves nothing in less: MADANG_SOAK=30 for half an hour. */
const minutes = Number(process.env.MADANG_SOAK ?? 0);
const writers = 8;
const readers = 4;

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const timeout = (minutes + 5) * 60_000;

test.runIf(minutes > 0)("under mixed load memory and sockets stay where they are", { timeout }, async () => {
  const server = await startProcess(database.url);
  await prepareCrowd(server.url);
  const load = startLoad({ url: () => server.url, writers });
  let isStopped = false;
  const paths = [
    "/v1/users",
    "/v1/group/channels",
    ...rooms.map((room) => `/v1/exports/group/channels/${room}/messages`),
  ];
  const wrongReads: string[] = [];
  const read = async (reader: number) => {
    for (let count = reader; !isStopped; count++) {
      const path = paths[count % paths.length] ?? "";
      const { status, headers } = await call(server.url, "GET", path);
      const mayComeBack = status === 503 && headers.has("Retry-After");
      if (status !== 200 && !mayComeBack) wrongReads.push(`${path} ${status}`);
    }
  };
  const reading = Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));

  const samples: { minute: number; megabytes: number; sockets: number }[] = [];
  const startedAt = performance.now();
  for (let minute = 0; minute < minutes; minute = (performance.now() - startedAt) / 60_000) {
    await sleep(2_000);
    const sockets = (await readdir(`/proc/${server.pid}/fd`)).length;
    samples.push({ minute, megabytes: await server.residentMegabytes(), sockets });
  }
  isStopped = true;
  await reading;
  await load.stop();
  await server.end("SIGTERM");

  const settled = samples.filter(({ minute }) => minute > minutes / 3);
  const growth = slope(settled.map(({ minute, megabytes }) => [minute, megabytes]));
  const sockets = settled.map((sample) => sample.sockets);
  const verdict = await judge(database.url, load);
  await report(
    rowOf(
      `soak test of ${minutes} minutes: memory grows by ${growth.toFixed(2)} MB per minute`,
      writers + readers,
      load,
      verdict,
    ),
  );
  expect(growth).toBeLessThan(1);
  expect(Math.max(...sockets) - Math.min(...sockets)).toBeLessThan(20);
  const wrong = [...load.wrong, ...wrongReads];
  expect({ ...verdict, wrong }).toEqual({ lost: 0, doubled: 0, broken: [], wrong: [] });
});

/** Of the straight line that fits the points best. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([value]) => value));
  const y = mean(points.map(([, value]) => value));
  const rise = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return rise / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
