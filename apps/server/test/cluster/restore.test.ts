import { appendFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/db/connection/with-connection";
import { handOver, identity, run } from "../faults/installed-postgres";
import { prepareLoad, startLoad } from "../faults/load";
import { startProcess } from "../faults/process";
import { checkData } from "../support/check-data";
import { type CitusNode, citusPrograms, distributeIn, readGuide, startCitus } from "../support/citus";
import { queryOnce } from "../support/query-once";
import { startReceiver } from "../support/receiver";
import { masterKey } from "../support/server";

const database = "madang";
const writers = 8;
const programs = citusPrograms ?? "";
const webhookSettings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
const archiving = ["archive_mode=on", `archive_command='mkdir -p "$PWD.archive" && cp %p "$PWD.archive/%f"'`];

test("a cluster that is restored to a point has every write from before it, and pauses webhooks", async () => {
  // From docs/guides/distributing.md, as operators copy it.
  const createPoint = await readGuide(/^```sql\n(SELECT citus_create_restore_point[\s\S]*?)^```$/m);
  const recovery = await readGuide(/^ *```ini\n( *restore_command[\s\S]*?)^ *```$/m);
  const cluster = await startCitus(programs, archiving);
  onTestFinished(() => cluster.stop());
  const nodes = [cluster.coordinator, ...cluster.workers];
  const url = await distributeIn(cluster, database);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const before = await startProcess(url, webhookSettings);
  await prepareLoad(before.url);
  const chat = new ChatClient({ baseUrl: before.url, apiKey: masterKey });
  await chat.webhooks.create({ url: receiver.url });
  const load = startLoad({ url: () => before.url, writers, mayBreak: true });
  const untilAcknowledged = async (count: number) => {
    for (const goal = load.acknowledged() + count; load.acknowledged() < goal; ) await sleep(5);
  };

  await untilAcknowledged(50);
  for (const node of nodes) await backUp(node);
  await untilAcknowledged(100);
  const acknowledged = {
    ...load,
    messages: [...load.messages],
    channels: [...load.channels],
    users: [...load.users],
  };
  const segments = await Promise.all(nodes.map((node) => ask(node, "pg_walfile_name(pg_current_wal_lsn())")));
  // As psql sends them.
  for (const statement of createPoint.split(";\n")) await queryOnce(url, statement);
  // Writes that were in flight at the point may be there or not.
  await untilAcknowledged(100);
  const [later] = load.messages.slice(-1);
  for (const [index, node] of nodes.entries()) await untilArchived(node, String(segments[index]));
  for (const node of nodes) await node.kill();
  await load.stop();
  await before.end("SIGTERM");

  for (const node of nodes) {
    await restore(node, recovery);
    await node.start();
  }
  for (const node of nodes) await expect.poll(() => ask(node, "pg_is_in_recovery()")).toBe(false);
  const after = await startProcess(url, webhookSettings);
  await expect.poll(() => after.output()).toContain("webhooks are paused");
  const again = new ChatClient({ baseUrl: after.url, apiKey: masterKey });
  await again.users.create({ user_id: "restored", name: "Restored" });
  const delivered = receiver.deliveries.length;
  expect(await checkData(url, acknowledged)).toEqual({ lost: 0, duplicated: 0, violations: [] });
  expect(await checkData(url, { ...acknowledged, messages: [later ?? ""] })).toMatchObject({ lost: 1 });
  expect(receiver.deliveries).toHaveLength(delivered);
  await after.end("SIGTERM");
});

async function backUp(node: CitusNode): Promise<void> {
  const args = [`--dbname=${node.urlOf(database)}`, `--pgdata=${node.data}.base`, "--checkpoint=fast"];
  await run(join(programs, "pg_basebackup"), args, identity);
}

async function untilArchived(node: CitusNode, segment: string): Promise<void> {
  const lastArchived = "(SELECT last_archived_wal FROM pg_stat_archiver)";
  await expect.poll(async () => String(await ask(node, lastArchived)) >= segment).toBe(true);
}

async function restore({ data }: CitusNode, recovery: string): Promise<void> {
  await rm(data, { recursive: true });
  await rename(`${data}.base`, data);
  await appendFile(join(data, "postgresql.conf"), recovery.replace("/path/to/archive", `${data}.archive`));
  await writeFile(join(data, "recovery.signal"), "");
  await handOver(join(data, "recovery.signal"));
}

async function ask(node: CitusNode, expression: string): Promise<unknown> {
  return withConnection(node.urlOf(database), async (client) => {
    const { rows } = await client.query(`SELECT ${expression} AS value`);
    return rows[0]?.value;
  });
}
