import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkData } from "../support/check-data";
import { createDatabase, openDatabase } from "../support/database";
import { expectWithinIfLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { loadChannels, loadUsers, prepareLoad } from "./load";
import { startProcess } from "./process";

const writers = 32;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  const server = await startProcess(database.url);
  await prepareLoad(server.url);
  await server.end("SIGTERM");
});
afterAll(() => database.drop());

/** Sends one message over a keep-alive connection. Returns the status or the error code. */
function send(url: string, agent: Agent, content: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/group/channels/${loadChannels[0]}/messages`,
      {
        agent,
        method: "POST",
        headers: { Authorization: `Bearer ${masterKey}`, "Content-Type": "application/json" },
      },
      (response) => response.resume().once("end", () => resolve(response.statusCode ?? 0)),
    );
    sent.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(JSON.stringify({ user_id: loadUsers[0], type: "text", content }));
  });
}

async function countMessages(prefix: string): Promise<number> {
  const db = await openDatabase(database.url);
  const text = `SELECT content FROM messages WHERE content LIKE '${prefix}%'`;
  const rows = await Promise.all(
    db.schemas().map((part) => part.query({ name: "test.countMessages", text })),
  );
  await db.close();
  return rows.flat().length;
}

test.each([
  { what: "one process", options: [], resets: "no connection is reset" },
  // Node has accepted connections in its primary process that no worker takes any more.
  { what: "two workers", options: ["--workers", "2"], resets: "only requests that no worker got are reset" },
])(
  "SIGTERM under load to $what: every accepted request gets a response, and $resets",
  async ({ what, options }) => {
    let sent = 0;
    let acknowledged = 0;
    let resets = 0;
    let maxExitMs = 0;
    const wrong: (number | string)[] = [];
    for (let round = 0; round < scale(2, 20); round++) {
      const server = await startProcess(database.url, {}, options);
      const agent = new Agent({ keepAlive: true });
      const write = async (writer: number) => {
        for (let count = 0; ; count++) {
          sent++;
          const outcome = await send(server.url, agent, `stop_${what}_${round}_${writer}_${count}`);
          // The port is closed: no more requests are accepted.
          if (outcome === "ECONNREFUSED") return;
          if (outcome === 201) acknowledged++;
          else if (outcome === "ECONNRESET" && options.length > 0) resets++;
          else wrong.push(outcome);
        }
      };
      const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      await sleep(500);
      while (acknowledged <= 50 * (round + 1) && wrong.length === 0) await sleep(5);
      const signalledAt = performance.now();
      expect(await server.end("SIGTERM")).toBe(0);
      maxExitMs = Math.max(maxExitMs, performance.now() - signalledAt);
      await all;
      agent.destroy();
    }
    const stored = await countMessages(`stop_${what}`);
    const { lost, duplicated, violations } = await checkData(database.url);
    await report({
      fault: `SIGTERM under load, ${what}`,
      load: `${writers} writers`,
      sent,
      acknowledged,
      lost,
      duplicated,
      wrong: wrong.length + violations.length + (stored - acknowledged),
      maxOutageMs: maxExitMs,
    });
    expect({ stored, duplicated, violations, wrong }).toEqual({
      stored: acknowledged,
      duplicated: 0,
      violations: [],
      wrong: [],
    });
    // At most one per connection and restart.
    expect(resets).toBeLessThanOrEqual(writers * scale(2, 20));
    expect(acknowledged).toBeGreaterThan(100);
    expectWithinIfLong(5_000, maxExitMs);
  },
);
