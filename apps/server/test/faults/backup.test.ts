import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../properties/judge";
import { call } from "../support/call";
import { report, rowOf } from "../support/report";
import { backUp } from "./base-backup";
import { type Cluster, startCluster } from "./cluster";
import { prepareCrowd, rooms, startLoad } from "./load";
import { startProcess } from "./process";

const writers = 8;
const run = promisify(execFile);
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.close());

/** What a caller sees of everything: channels, users, and the whole history of each room. */
async function readAll(url: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  const paths = rooms.map((room) => `/v1/exports/group/channels/${room}/messages?limit=1000`);
  for (const first of [
    "/v1/users?limit=30",
    "/v1/group/channels?limit=30",
    "/v1/applications/keys",
    ...paths,
  ])
    for (let path: string | undefined = first; path !== undefined; ) {
      const { body } = await call(url, "GET", path);
      answers.push(body);
      const base = first.split("?")[0];
      path = body.next === undefined ? undefined : `${base}?next=${encodeURIComponent(body.next)}`;
    }
  return answers;
}

test("a base backup taken under load holds all that was acknowledged before it, and answers the same", async () => {
  const target = join(tmpdir(), `madang-backup-${process.pid}`);
  let server = await startProcess(cluster.url);
  await prepareCrowd(server.url);
  await call(server.url, "POST", "/v1/applications/keys");
  const load = startLoad({ url: () => server.url, writers });
  while (load.messages.length <= 20) await sleep(50);
  const before = { messages: [...load.messages], channels: [...load.channels], users: [...load.users] };
  const data = await backUp(cluster.directUrl(), target);
  await load.stop();
  await server.end("SIGTERM");

  await cluster.kill();
  await rm(data, { recursive: true });
  await run("cp", ["-a", target, data]);
  await cluster.revive();
  const verdict = await judge(cluster.directUrl(), { ...load, ...before });
  await report(rowOf("restored from a base backup under load", writers, load, verdict));
  expect(verdict).toEqual({ lost: 0, doubled: 0, broken: [] });

  server = await startProcess(cluster.url);
  const answers = await readAll(server.url);
  await server.end("SIGTERM");
  await cluster.kill();
  await rm(data, { recursive: true });
  await run("cp", ["-a", target, data]);
  await cluster.revive();
  server = await startProcess(cluster.url);
  // Cursors, too: their secret is in the database, and the sub key is shown by the same master key.
  expect(await readAll(server.url)).toEqual(answers);
  await server.end("SIGTERM");
  await rm(target, { recursive: true });
});
