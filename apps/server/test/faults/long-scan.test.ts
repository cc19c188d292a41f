import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { call } from "../support/call";
import { expectWithinIfLong, report, scale } from "../support/report";
import { masterKey, startServer } from "../support/server";

/** Stores 100,000 events of one channel, numbered by hundreds. `$1`: how many there are already. */
const storeEvents: Statement<unknown> = {
  name: "test.store-events",
  text: `WITH stored AS (
      INSERT INTO events (transaction_id, type, channel_id)
      SELECT -1 - ($1::bigint + index) / 100, 'message.deleted', 'busy_room' FROM generate_series(0, 99999) AS index
    )
    INSERT INTO event_ranges
    SELECT last_position + 100 * index, last_position + 100 * (index + 1), ARRAY[-1 - $1::bigint / 100 - index], next_transaction_id,
      running_transaction_ids, nonce, created_at
    FROM (SELECT * FROM event_ranges ORDER BY after_position DESC LIMIT 1) AS last,
      generate_series(0, 999) AS index`,
};

test("a list whose filter matches nothing responds in time, continues, and stops when its client has left", async () => {
  const count = scale(600_000, 3_000_000);
  let reads = 0;
  const server = await startServer({
    onStatement: (name) => {
      if (name === "events.read") reads += 1;
    },
  });
  for (let stored = 0; stored < count; stored += 100_000) await server.db.query(storeEvents, [stored]);
  const list = (query: string) => call(server.url, "GET", `/v1/events?channel_id=quiet_room${query}`);

  const durations: number[] = [];
  for (let next = "", isEnd = false; !isEnd; ) {
    const startedAt = performance.now();
    const { status, body } = await list(next && `&after=${next}`);
    durations.push(performance.now() - startedAt);
    expect([status, body.events]).toEqual([200, []]);
    isEnd = body.next === next;
    next = body.next;
  }
  const slowestMs = Math.max(...durations);

  const left = new AbortController();
  const headers = { Authorization: `Bearer ${masterKey}` };
  const leaving = fetch(`${server.url}/v1/events?channel_id=quiet_room&wait=20`, {
    headers,
    signal: left.signal,
  });
  await sleep(150);
  left.abort();
  await leaving.catch(() => undefined);
  const readsBefore = reads;
  await sleep(600);
  const readsAfter = reads - readsBefore;

  await report({
    fault: `a list whose filter matches none of ${count.toLocaleString("en-US")} events; slowest response ${Math.round(slowestMs)} ms, ${readsAfter} reads after the client has left`,
    load: "1 client",
    sent: durations.length,
    acknowledged: durations.length,
    maxOutageMs: slowestMs,
  });
  await server.close();
  // One scan of everything would be one response.
  expect(durations.length).toBeGreaterThan(2);
  expect(readsAfter).toBeLessThanOrEqual(2);
  expectWithinIfLong(600, slowestMs);
});
