import { execFileSync } from "node:child_process";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findData } from "../../src/db/embedded/installation";
import { call } from "../support/call";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { report, scale } from "../support/report";
import { killProcesses, listProcesses } from "./cluster";
import { type ServerProcess, startProcess } from "./process";

let folder: PostgresFolder;
beforeAll(async () => {
  folder = await createPostgresFolder();
});
afterAll(async () => {
  // A killed container ends a moment before the processes in it.
  await killProcesses(data());
  await folder.remove();
});

const data = () => findData(join(folder.path, "data", "postgres"));

/** Process ids and shared memory of its own, as a container has. Everything in it ends with the command. */
const container = ["unshare", "--pid", "--ipc", "--mount-proc", "--fork", "--kill-child"];
/** The same, with other processes that have the ids that PostgreSQL had in an earlier one. */
const busyContainer = [
  ...container,
  ...["sh", "-c", 'for each in $(seq 100); do sleep 600 & done; exec "$@"', "sh"],
];

const start = (options: readonly string[] = [], wrapper: readonly string[] = []) =>
  startProcess("", { MADANG_DATA_DIR: join(folder.path, "data") }, options, wrapper);

const path = "/v1/group/channels/room_1/messages";
let sent = 0;

async function send({ url }: ServerProcess, count: number): Promise<void> {
  for (const end = sent + count; sent < end; sent++) {
    const body = { user_id: "kim_01", type: "text", content: `${sent}` };
    expect((await call(url, "POST", path, { body })).status).toBe(201);
  }
}

async function countMessages({ url }: ServerProcess): Promise<number> {
  return (await call(url, "GET", "/v1/group/channels/room_1")).body.total_message_count;
}

async function prepare({ url }: ServerProcess): Promise<void> {
  await call(url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
  const body = { channel_id: "room_1", name: "Lunch", members: ["kim_01"] };
  await call(url, "POST", "/v1/group/channels", { body });
}

async function reportStored(fault: string, stored: number): Promise<void> {
  await report({
    fault,
    load: "1 writer",
    sent,
    acknowledged: sent,
    lost: sent - stored,
  });
  expect(stored).toBe(sent);
}

function canUnshare(): boolean {
  try {
    execFileSync(container[0] ?? "", [...container.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("an embedded PostgreSQL that is killed ends the server with its reason, and the next start has every message", async () => {
  const first = await start();
  await prepare(first);
  await first.end("SIGTERM");
  for (const options of [[], ["--workers", "2"]]) {
    const server = await start(options);
    await send(server, scale(20, 500));
    await killProcesses(data());
    expect(await server.exitCode()).toBe(1);
    expect(server.output()).toContain("The embedded PostgreSQL ended unexpectedly (SIGKILL).");
  }
  const next = await start();
  await reportStored(
    "kill -9 of an embedded PostgreSQL: the server ends, and starts again",
    await countMessages(next),
  );
  await next.end("SIGTERM");
});

test("a PostgreSQL that a killed server of an older version left running is stopped before the next one starts", async () => {
  const server = await start();
  await send(server, scale(20, 200));
  await server.end("SIGKILL");
  const orphans = await listProcesses(data());
  expect(orphans).not.toEqual([]);
  // Older versions made no pipe.
  await rm(`${data()}.pipe`);
  const next = await start();
  expect((await listProcesses(data())).filter((pid) => orphans.includes(pid))).toEqual([]);
  expect((await stat(`${data()}.pipe`)).isFIFO()).toBe(true);
  await reportStored(
    "kill -9 of a server of an older version, whose PostgreSQL goes on: the next start stops that first",
    await countMessages(next),
  );
  await next.end("SIGTERM");
});

test.runIf(canUnshare())(
  "a data folder has one server, also of several containers, and is free when that was killed",
  async () => {
    const rounds = scale(1, 10);
    let rejected = 0;
    for (let round = 0; round < rounds; round++) {
      const server = await start([], round % 2 === 0 ? container : busyContainer);
      await send(server, scale(20, 200));
      await expect(start([], container)).rejects.toThrow("is in use by another process");
      rejected += 1;
      await send(server, scale(20, 200));
      await server.end("SIGKILL");
    }
    const next = await start([], busyContainer);
    const stored = await countMessages(next);
    await next.end("SIGKILL");
    await reportStored(
      `containers that share a data folder, each killed with kill -9: ${rejected} of ${rounds} second servers rejected`,
      stored,
    );
  },
);
