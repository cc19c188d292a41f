import { setTimeout as sleep } from "node:timers/promises";
import type { Target } from "./compare";
import { historyChannel } from "./dataset";
import type { ServerProcess } from "./server-process";
import type { Testbed } from "./testbed";

export interface Deletion {
  /** The duration of the request that deletes the channel with the whole history. */
  readonly responseMs: number;
  /** Messages that were left when the server was killed. */
  readonly leftAtKill: number;
  /** How long it took to remove the messages, before the kill and after the restart. */
  readonly removalSeconds: number;
  /** The number of rows that are left at the end, including the channel's. */
  readonly leftAtEnd: number;
}

const timeoutMs = 300_000;

/**
 * Deletes the channel with the whole history, kills the server during the removal of the messages, starts it again, and
 * waits until nothing is left. The server is killed when `duringRemoval` resolves.
 */
export async function measureDeletion(
  { testbed, headers }: Target,
  duringRemoval: (server: ServerProcess) => Promise<void>,
): Promise<Deletion> {
  const { rows } = await testbed.database.query("SELECT pk FROM channels WHERE channel_id = $1", [
    historyChannel,
  ]);
  const first = await testbed.startServer();
  const url = `${first.url}/v1/group/channels/${historyChannel}`;
  // The first request of a connection and of a process costs more than any other.
  await fetch(url, { headers });
  const deletedAt = performance.now();
  const { status } = await fetch(url, { method: "DELETE", headers });
  const responseMs = performance.now() - deletedAt;
  if (status !== 200) throw new Error(`The channel was not deleted: ${status}`);
  await duringRemoval(first);
  await first.kill();
  const killedAfterMs = performance.now() - deletedAt;
  const leftAtKill = await countLeft(testbed, rows[0].pk);

  const second = await testbed.startServer();
  const startedAt = performance.now();
  await waitUntilRemoved(testbed, rows[0].pk);
  const removalSeconds = (killedAfterMs + performance.now() - startedAt) / 1_000;
  await second.stop();
  return { responseMs, leftAtKill, removalSeconds, leftAtEnd: await countLeft(testbed, rows[0].pk) };
}

async function waitUntilRemoved({ database }: Testbed, pk: string): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const { rowCount } = await database.query("SELECT FROM channels WHERE pk = $1", [pk]);
    if (rowCount === 0) return;
    await sleep(100);
  }
  throw new Error("The messages were not removed after the restart.");
}

async function countLeft({ database }: Testbed, pk: string): Promise<number> {
  const text = `SELECT (SELECT count(*) FROM messages WHERE channel_pk = $1)
    + (SELECT count(*) FROM channels WHERE pk = $1) AS count`;
  const { rows } = await database.query(text, [pk]);
  return Number(rows[0].count);
}
