import { setTimeout as sleep } from "node:timers/promises";
import type { Contestant } from "./contestant";
import { makeSubKey, type Stage } from "./stage";
import { bigRoom } from "./world";

export interface Deletion {
  /** How long it takes to delete the channel that holds the whole history. */
  readonly answerMs: number;
  /** What was left of the history when the server was killed in the middle. */
  readonly leftAtKill: number;
  /** How long the clearing took, before the kill and after the new start. */
  readonly clearingSeconds: number;
  /** What is left at the end, of messages and of the channel. */
  readonly leftAtEnd: number;
}

const patienceMs = 300_000;

/**
 * Deletes the channel of the whole history, kills the server in the middle of the clearing, starts it again, and waits
 * until nothing is left. The kill comes when that is over which is handed in.
 */
export async function measureDeletion(
  stage: Stage,
  whileClearing: (server: Contestant, key: string) => Promise<void>,
): Promise<Deletion> {
  const { rows } = await stage.database.query("SELECT pk FROM channels WHERE channel_id = $1", [bigRoom]);
  const first = await stage.startServer();
  const key = await makeSubKey(first.url);
  const headers = { authorization: `Bearer ${key}` };
  // The first request of a connection and of a process costs what no other does.
  await fetch(`${first.url}/v1/group/channels/${bigRoom}`, { headers });
  const deletedAt = performance.now();
  const { status } = await fetch(`${first.url}/v1/group/channels/${bigRoom}`, { method: "DELETE", headers });
  const answerMs = performance.now() - deletedAt;
  if (status !== 200) throw new Error(`The channel was not deleted: ${status}`);
  await whileClearing(first, key);
  await first.kill();
  const killedAfterMs = performance.now() - deletedAt;
  const leftAtKill = await countLeft(stage, rows[0].pk);

  const second = await stage.startServer();
  const startedAt = performance.now();
  try {
    await waitUntilCleared(stage, rows[0].pk);
    const clearingSeconds = (killedAfterMs + performance.now() - startedAt) / 1_000;
    return { answerMs, leftAtKill, clearingSeconds, leftAtEnd: await countLeft(stage, rows[0].pk) };
  } finally {
    await second.stop();
  }
}

async function waitUntilCleared({ database }: Stage, pk: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const { rowCount } = await database.query("SELECT FROM channels WHERE pk = $1", [pk]);
    if (rowCount === 0) return;
    await sleep(100);
  }
  throw new Error("The history was not cleared after the new start.");
}

async function countLeft({ database }: Stage, pk: string): Promise<number> {
  const text = `SELECT (SELECT count(*) FROM messages WHERE channel_pk = $1)
    + (SELECT count(*) FROM channels WHERE pk = $1) AS count`;
  const { rows } = await database.query(text, [pk]);
  return Number(rows[0].count);
}
