import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { judge } from "../properties/judge";
import { createDatabase } from "../support/database";
import { expectWithin, report, scale } from "../support/report";
import { masterKey } from "../support/server";
import { crowd, prepareCrowd, rooms } from "./load";
import { startProcess } from "./process";

const writers = 32;
let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
  const server = await startProcess(database.url);
  await prepareCrowd(server.url);
  await server.end("SIGTERM");
});
afterAll(() => database.drop());

/** Sends one message over a connection that is kept; tells the status, or why there was none. */
function send(url: string, agent: Agent, content: string): Promise<number | string> {
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/group/channels/${rooms[0]}/messages`,
      {
        agent,
        method: "POST",
        headers: { Authorization: `Bearer ${masterKey}`, "Content-Type": "application/json" },
      },
      (response) => response.resume().once("end", () => resolve(response.statusCode ?? 0)),
    );
    sent.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end(JSON.stringify({ user_id: crowd[0], type: "text", content }));
  });
}

test.each([
  { what: "one process", options: [] },
  { what: "two workers", options: ["--workers", "2"] },
])(
  "SIGTERM under load to $what: what was taken is answered, no connection is reset, and it ends",
  async ({ what, options }) => {
    let sent = 0;
    let acknowledged = 0;
    let slowestExitMs = 0;
    const wrong: (number | string)[] = [];
    for (let round = 0; round < scale(2, 20); round++) {
      const server = await startProcess(database.url, {}, options);
      const agent = new Agent({ keepAlive: true });
      const write = async (writer: number) => {
        for (let count = 0; ; count++) {
          sent++;
          const outcome = await send(server.url, agent, `stop_${what}_${round}_${writer}_${count}`);
          // The door is shut: from here on nothing is taken.
          if (outcome === "ECONNREFUSED") return;
          if (outcome === 201) acknowledged++;
          else wrong.push(outcome);
        }
      };
      const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
      await sleep(500);
      const askedAt = performance.now();
      expect(await server.end("SIGTERM")).toBe(0);
      slowestExitMs = Math.max(slowestExitMs, performance.now() - askedAt);
      await all;
      agent.destroy();
    }
    const { lost, doubled, broken } = await judge(database.url);
    await report({
      fault: `SIGTERM under load, ${what}`,
      load: `${writers} writers`,
      sent,
      acknowledged,
      lost,
      doubled,
      wrong: wrong.length + broken.length,
      longestOutageMs: slowestExitMs,
    });
    expect({ doubled, broken, wrong }).toEqual({ doubled: 0, broken: [], wrong: [] });
    expect(acknowledged).toBeGreaterThan(100);
    expectWithin(5_000, slowestExitMs);
  },
);
