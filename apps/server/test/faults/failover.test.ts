import { afterAll, beforeAll, expect, test } from "vitest";
import { checkData } from "../support/check-data";
import { queryOnce } from "../support/query-once";
import { report, rowOf } from "../support/report";
import { type Cluster, startCluster, startReplica } from "./cluster";
import { prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

let primary: Cluster;
let standby: Cluster;
let server: ServerProcess;
beforeAll(async () => {
  primary = await startCluster();
  standby = await startReplica(primary);
  // A write is acknowledged when both have it, so a promotion loses none.
  for (const setting of ["synchronous_standby_names = '*'", "synchronous_commit = on"])
    await queryOnce(primary.directUrl(), `ALTER SYSTEM SET ${setting}`);
  await queryOnce(primary.directUrl(), "SELECT pg_reload_conf()");
  // The form of docs/guides/deploying.md. The standby comes first: a server that starts has to find the other one.
  const [url, other] = [new URL(standby.url), new URL(primary.url)];
  const { username, password, pathname } = url;
  const hosts = `${username}:${password}@${url.host},${other.host}`;
  server = await startProcess(`postgresql://${hosts}${pathname}?target_session_attrs=read-write`);
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await standby?.close();
  await primary?.restart();
  await primary?.close();
});

test("with several hosts in DATABASE_URL, a server continues on the promoted standby and loses no write", async () => {
  await prepareLoad(server.url);
  const load = startLoad({ url: () => server.url, writers: 8 });
  const untilAcknowledged = async (count: number) => {
    const goal = load.acknowledged() + count;
    while (load.acknowledged() < goal) {
      server.requireAlive();
      await new Promise(setImmediate);
    }
  };
  await untilAcknowledged(100);
  await primary.kill();
  await queryOnce(standby.directUrl(), "SELECT pg_promote()");
  await untilAcknowledged(200);
  await load.stop();
  // The process that ran before and after the promotion confirms that this is no restored copy.
  const readPermit = async () => {
    const [permit] = await queryOnce(standby.directUrl(), "SELECT database FROM delivery_permits");
    return permit?.database;
  };
  await expect.poll(readPermit).toMatch(/\/00000002$/);
  const check = await checkData(standby.directUrl(), load);
  await report(rowOf("standby promoted", 8, load, check));
  expect({ ...check, wrong: load.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
});
