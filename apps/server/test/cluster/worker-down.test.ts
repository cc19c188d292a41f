import { afterAll, beforeAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { call } from "../support/call";
import { type CitusCluster, citusPrograms, distributeIn, startCitus } from "../support/citus";
import { readMetrics, startServerOn, type TestServer } from "../support/server";

const channelIds = Array.from({ length: 40 }, (_, index) => `channel_${index}`);

let cluster: CitusCluster;
let url: string;
let server: TestServer;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
  url = await distributeIn(cluster, "one_down");
  server = await startServerOn(url, { settings: { MADANG_METRICS_PORT: "0" }, connectTimeoutMs: 1_000 });
  await post("/v1/users", { user_id: "ann_1", name: "Ann" });
  for (const channel_id of channelIds)
    await post("/v1/group/channels", { channel_id, name: channel_id, members: ["ann_1"] });
});
afterAll(async () => {
  await server.close();
  await cluster.stop();
});

const post = async (path: string, body: object) => (await call(server.url, "POST", path, { body })).status;
const get = async (path: string) => (await call(server.url, "GET", path)).status;

/** The value of a metric without labels, or undefined if it is absent. */
async function readValue(name: string): Promise<string | undefined> {
  return new RegExp(`^${name} (\\S+)$`, "m").exec(await readMetrics(server))?.[1];
}

/** The channels on the worker of a port. */
async function listChannelsOn(port: number | undefined): Promise<string[]> {
  const ports = await Promise.all(
    channelIds.map((channelId) => server.db.channel(channelId).query(findPort)),
  );
  return channelIds.filter((_, index) => ports[index]?.[0]?.port === String(port));
}

const findPort: Statement<{ port: string }> = {
  name: "test.find-port",
  text: "SELECT current_setting('port') AS port",
};

test("with a worker down, the metrics show it, and what does not need the worker goes on", async () => {
  const [down, up] = cluster.workers;
  const [lost = ""] = await listChannelsOn(down?.port);
  const [kept = ""] = await listChannelsOn(up?.port);
  const message = { user_id: "ann_1", type: "text", content: "Hello" };
  const send = (channelId: string) => post(`/v1/group/channels/${channelId}/messages`, message);
  expect(await readValue("madang_event_queue_up")).toBe("1");
  // The events of the channels that were just created.
  await expect.poll(() => readValue("madang_event_lag_seconds"), { timeout: 60_000 }).toBe("0");

  await down?.stop();
  // The load balancer keeps the process: it serves the other channels.
  expect(await get("/readyz")).toBe(200);
  expect(await send(kept)).toBe(201);
  expect(await get("/v1/users/ann_1")).toBe(200);
  expect(await send(lost)).toBe(503);
  expect(await post("/v1/users", { user_id: "ben_1", name: "Ben" })).toBe(503);
  expect(await get("/v1/group/channels")).toBe(503);
  expect(await get("/v1/users/ann_1/channels")).toBe(503);
  expect(await readValue("madang_event_queue_up")).toBe("0");
  // Not 0, which would look as if no event waited.
  expect(await readValue("madang_event_lag_seconds")).toBeUndefined();

  await down?.start();
  expect(await send(lost)).toBe(201);
  expect(await post("/v1/users", { user_id: "ben_1", name: "Ben" })).toBe(201);
  expect(await get("/v1/users/ann_1/channels")).toBe(200);
  expect(await readValue("madang_event_queue_up")).toBe("1");
  expect(await readValue("madang_event_lag_seconds")).toBeDefined();
});
