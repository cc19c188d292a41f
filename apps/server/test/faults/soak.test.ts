import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, rowOf } from "../support/report";
import { loadChannels, prepareLoad, startLoad } from "./load";
import { startProcess } from "./process";

/** Runs only with a duration, for example MADANG_SOAK=30 for half an hour. A short run proves nothing. */
const minutes = Number(process.env.MADANG_SOAK ?? 0);
const writers = 8;
const readers = 4;

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const timeout = (minutes + 5) * 60_000;

test.runIf(minutes > 0)(
  "under mixed load, memory and the number of sockets stay constant",
  { timeout },
  async () => {
    const server = await startProcess(database.url);
    await prepareLoad(server.url);
    const load = startLoad({ url: () => server.url, writers });
    let isStopped = false;
    const paths = [
      "/v1/users",
      "/v1/group/channels",
      ...loadChannels.map((id) => `/v1/exports/group/channels/${id}/messages`),
    ];
    const wrongReads: string[] = [];
    const read = async (reader: number) => {
      for (let count = reader; !isStopped; count++) {
        const path = paths[count % paths.length] ?? "";
        const { status, headers } = await call(server.url, "GET", path);
        const isTemporary = status === 503 && headers.has("Retry-After");
        if (status !== 200 && !isTemporary) wrongReads.push(`${path} ${status}`);
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
    const check = await checkData(database.url, load);
    await report(
      rowOf(
        `soak test of ${minutes} minutes: memory grows by ${growth.toFixed(2)} MB per minute`,
        writers + readers,
        load,
        check,
      ),
    );
    expect(growth).toBeLessThan(1);
    expect(Math.max(...sockets) - Math.min(...sockets)).toBeLessThan(20);
    const wrong = [...load.wrong, ...wrongReads];
    expect({ ...check, wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
  },
);

/** The slope of the linear regression. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([value]) => value));
  const y = mean(points.map(([, value]) => value));
  const rise = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return rise / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
