import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { distribute } from "../../src/db/citus/distribute";
import { readShardMap } from "../../src/db/citus/shard-map";
import { migrate } from "../../src/db/migrate";
import { withConnection } from "../../src/db/with-connection";
import { checkData } from "../support/check-data";
import { type CitusCluster, citusPrograms, createOnNodes, execute, startCitus } from "../support/citus";
import { masterKey, startServerOn } from "../support/server";

let cluster: CitusCluster;
let url: string;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
});
afterAll(() => cluster.stop());

const coordinatorUrl = () => cluster.coordinator.urlOf("postgres");
const workerUrls = () => cluster.workers.map((worker) => worker.urlOf("postgres"));
const run = (database: string) => distribute(database, () => undefined);

test("a database that cannot be distributed: one sentence says what to do", async () => {
  await execute(coordinatorUrl(), "CREATE DATABASE plain");
  const plain = cluster.coordinator.urlOf("plain");
  await expect(run(plain)).rejects.toThrow("Run madang-server migrate first.");
  await migrate(plain);
  await expect(run(plain)).rejects.toThrow("does not have Citus");
  await execute(plain, "CREATE EXTENSION citus");
  await expect(run(plain)).rejects.toThrow("The coordinator has no address in the cluster.");
  await execute(plain, `SELECT citus_set_coordinator_host('127.0.0.1', ${cluster.coordinator.port})`);
  await expect(run(plain)).rejects.toThrow("The cluster has no workers.");

  const name = "unreachable";
  const unreachable = await createOnNodes(coordinatorUrl(), workerUrls(), name);
  await migrate(unreachable);
  const [worker] = cluster.workers;
  const onWorker = worker?.urlOf(name) ?? "";
  await expect(run(onWorker)).rejects.toThrow("Use that of the coordinator.");
  await expect(migrate(onWorker)).rejects.toThrow("Use that of the coordinator.");
  await worker?.stop();
  await expect(run(unreachable)).rejects.toThrow(`The worker 127.0.0.1:${worker?.port} does not respond.`);
  await worker?.start();
});

test("a database with data is distributed, also after interruptions, and keeps every row", async () => {
  url = await createOnNodes(coordinatorUrl(), workerUrls(), "filled");
  await migrate(url);
  const before = await startServerOn(url);
  const chat = new ChatClient({ baseUrl: before.url, apiKey: masterKey });
  const userIds = ["ann_1", "ben_1", "cho_1"];
  for (const user_id of userIds) await chat.users.create({ user_id, name: user_id });
  const channelIds = Array.from({ length: 40 }, (_, index) => `channel_${index}`);
  for (const channel_id of channelIds) {
    await chat.channels.create({ channel_id, name: channel_id, members: userIds });
    await chat.messages.send(channel_id, { user_id: "ann_1", type: "text", content: channel_id });
  }
  const { next } = await chat.events.list({ after: "latest" });
  await before.close();

  // Each run ends after one more step than the last one.
  for (let isComplete = false; !isComplete; ) {
    let isInterrupted = false;
    await distribute(url, (line) => {
      isInterrupted = !line.includes("done before") && line.includes("/");
      if (isInterrupted) throw new Error("interrupted");
    }).catch((error: Error) => expect(error.message).toBe("interrupted"));
    isComplete = !isInterrupted;
    if (isInterrupted)
      await expect(withConnection(url, readShardMap)).rejects.toThrow("Run madang-server distribute again.");
  }
  const lines: string[] = [];
  await distribute(url, (line) => lines.push(line));
  expect(lines).toContain("messages: 40 rows on 2 nodes");
  expect(lines).toContain("members: 120 rows on 2 nodes");

  const after = await startServerOn(url);
  const again = new ChatClient({ baseUrl: after.url, apiKey: masterKey });
  expect(await again.channels.list().toArray()).toHaveLength(40);
  for (const channelId of channelIds) {
    await again.messages.send(channelId, { user_id: "ben_1", type: "text", content: `${channelId} again` });
    const messages = await again.exports.messages(channelId).toArray();
    expect(messages.map((message) => message.type === "text" && message.content)).toEqual([
      `${channelId} again`,
      channelId,
    ]);
  }
  const { events } = await again.events.list({ after: next });
  expect(events.map((event) => "channel_id" in event && event.channel_id)).toEqual(channelIds);
  await after.close();
  expect(await checkData(url)).toEqual({ lost: 0, duplicated: 0, violations: [] });
});
