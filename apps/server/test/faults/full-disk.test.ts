import { execFileSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient, isChatError } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf } from "../../src/errors/thrown";
import { collect } from "../support/collect";
import { findFreePort } from "../support/ports";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { runProgram } from "../support/program";
import { isLong, report, scale } from "../support/report";
import { masterKey } from "../support/server";

/** Disks of these sizes, below what a server writes. The embedded PostgreSQL needs 60 MB for an empty database. */
const disks = { files: "20m", log: "20m", data: "160m" } as const;
type Disk = keyof typeof disks;

let folder: PostgresFolder;
const pathOf = (disk: Disk, ...names: string[]) => join(folder.path, disk, ...names);
const mount = (...words: string[]) => execFileSync("mount", words, { stdio: "pipe" });

/** Mounts the disks. Files are seen through a second mount, which can be taken away with all of them. */
async function mountDisks(): Promise<string | undefined> {
  try {
    for (const [disk, size] of Object.entries(disks)) {
      const path = join(folder.path, disk === "files" ? "disk-of-files" : disk);
      await mkdir(path, { recursive: true });
      mount("-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", path);
    }
    await mkdir(pathOf("files"));
    mount("--bind", join(folder.path, "disk-of-files"), pathOf("files"));
    return undefined;
  } catch (error) {
    return String(error).split("\n", 2).join(" ");
  }
}

let reason: string | undefined;
beforeAll(async () => {
  folder = await createPostgresFolder();
  reason = process.platform === "linux" ? await mountDisks() : "The disks are those of Linux.";
  if (reason !== undefined) process.stdout.write(`No disk can be mounted, so none is filled: ${reason}\n`);
});
afterAll(async () => {
  for (const path of ["files", "disk-of-files", "log", "data"])
    try {
      execFileSync("umount", ["-l", join(folder.path, path)], { stdio: "pipe" });
    } catch {
      // It was not mounted.
    }
  await folder.remove();
});

/** Uses up a disk. */
function fill(disk: Disk): void {
  const file = openSync(pathOf(disk, "ballast"), "a");
  for (const size of [2 ** 20, 4_096, 1])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (codeOf(error) !== "ENOSPC") throw error;
    }
  closeSync(file);
}
const empty = (disk: Disk) => rm(pathOf(disk, "ballast"));

/** What a client did: each attempt has an id, and its outcome. */
interface Attempts {
  readonly stored: Set<string>;
  /** The codes of the rejections, and how often they came. */
  readonly rejected: Map<string, number>;
  count: number;
}

test("a disk that is full or taken away loses nothing, and the service goes on", async (context) => {
  if (reason !== undefined) return context.skip(reason);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = pathOf("log", "server.log");
  const settings = {
    PORT: String(port),
    MADANG_DATA_DIR: pathOf("data", "madang"),
    MADANG_FILES: `folder:${pathOf("files")}`,
    MADANG_MASTER_KEY: masterKey,
    LOG: logFile,
  };
  const toFile = ["sh", "-c", 'exec "$@" >>"$LOG" 2>&1', "sh", process.execPath];
  const server = runProgram(["start"], settings, toFile);
  const readLog = async () => (existsSync(logFile) ? await readFile(logFile, "utf8") : "");
  await expect.poll(readLog).toContain('"listening"');

  const requestIds = new Set<string>();
  const observedFetch: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    requestIds.add(response.headers.get("x-request-id") ?? "");
    return response;
  };
  const chat = new ChatClient({
    baseUrl: url,
    apiKey: masterKey,
    maxRetries: 0,
    maxDowntimeMs: 0,
    fetch: observedFetch,
  });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  const running = { isOver: false };
  const repeat = async (name: string, attempts: Attempts, attempt: (id: string) => Promise<unknown>) => {
    while (!running.isOver) {
      const id = `${name}-${attempts.count++}`;
      try {
        await attempt(id);
        attempts.stored.add(id);
      } catch (error) {
        const code = isChatError(error) ? (error.code ?? error.kind) : String(error);
        attempts.rejected.set(code, (attempts.rejected.get(code) ?? 0) + 1);
        await sleep(20);
      }
    }
  };
  const [texts, files]: Attempts[] = [0, 0].map(() => ({ stored: new Set(), rejected: new Map(), count: 0 }));
  if (texts === undefined || files === undefined) throw new Error("There are two.");
  const of = { user_id: "kim_01", type: "text" } as const;
  const bytesOf = (id: string) => Buffer.from(id.padEnd(300_000, "."));
  /** The files of messages, by the content of their message. */
  const kept = new Map<string, string>();
  const writers = Promise.all([
    repeat("text", texts, (content) => chat.messages.send("room_1", { ...of, content })),
    repeat("file", files, async (id) => {
      const bytes = bytesOf(id);
      const file = await chat.files.upload("room_1", bytes, {
        user_id: "kim_01",
        name: id,
        type: "text/plain",
      });
      const read = await observedFetch(file.url ?? "");
      if (read.status !== 200) throw Object(await read.json()).code;
      expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
      // The disk is small: most files make room for the next one.
      const { file_id } = file;
      if (kept.size >= 10) return chat.files.delete(file_id);
      await chat.messages.send("room_1", { ...of, content: id, attachments: [{ file_id }] });
      kept.set(id, file_id);
    }),
  ]);
  const untilMore = async ({ stored }: Attempts, count: number) => {
    const goal = stored.size + count;
    await expect.poll(() => stored.size).toBeGreaterThan(goal);
  };
  const untilRejected = async ({ rejected }: Attempts, code: string) => {
    const goal = (rejected.get(code) ?? 0) + 3;
    await expect.poll(() => rejected.get(code) ?? 0).toBeGreaterThan(goal);
  };
  await untilMore(texts, 50);
  await untilMore(files, 5);

  for (let round = 0; round < scale(1, 5); round++) {
    fill("files");
    await untilRejected(files, "storage_unavailable");
    await untilMore(texts, 50);
    await empty("files");
    await untilMore(files, 2);

    execFileSync("umount", ["-l", pathOf("files")]);
    await untilRejected(files, "storage_unavailable");
    await untilMore(texts, 50);
    expect(await readdir(pathOf("files"))).toEqual([]);
    mount("--bind", join(folder.path, "disk-of-files"), pathOf("files"));
    await untilMore(files, 2);

    fill("log");
    await untilMore(texts, scale(300, 4_000));
    await empty("log");
    await untilMore(texts, 50);

    fill("data");
    await untilRejected(texts, "unavailable");
    await empty("data");
    await untilMore(texts, 50);
    await untilMore(files, 2);
  }
  running.isOver = true;
  await writers;
  expect([...texts.rejected.keys()]).toEqual(["unavailable"]);
  const unavailable = ["storage_unavailable", "unavailable"];
  expect([...files.rejected.keys()].filter((code) => !unavailable.includes(code))).toEqual([]);

  const messages = await collect(chat.messages.list("room_1"));
  const found = messages.map((message) => ("content" in message ? message.content : ""));
  expect(new Set(found).size).toBe(found.length);
  const lost = [...texts.stored, ...kept.keys()].filter((id) => !found.includes(id));
  for (const [id, fileId] of kept) {
    const { url: address = "" } = await chat.files.get(fileId);
    expect(await (await observedFetch(address)).text()).toBe(bytesOf(id).toString());
  }

  expect(await server.end("SIGTERM")).toBe(0);
  const lines = (await readLog()).trimEnd().split("\n");
  const logged = lines.map((line) => JSON.parse(line));
  const dropped = logged.reduce((sum, { lines: count = 0 }) => sum + count, 0);
  const seen = new Set(logged.map(({ request_id }) => request_id));
  const missing = [...requestIds].filter((id) => !seen.has(id));
  await report({
    fault: `disks of files, the log and the embedded database: full and given back; ${dropped} lines of the log dropped, and counted`,
    load: "2 writers",
    sent: texts.count + files.count,
    acknowledged: texts.stored.size + files.stored.size,
    lost: lost.length,
  });
  expect(lost).toEqual([]);
  expect(missing.length).toBeLessThanOrEqual(dropped);
  // A megabyte of lines waits: only the long form writes more.
  // In the short form, there may be space before the lines that wait are too many.
  if (isLong) expect(dropped).toBeGreaterThan(0);
});
