import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { claim } from "./claim";

const contenders = 12;
const rounds = 25;

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-claim-"));
  lock = join(folder, "owner");
});
afterEach(() => rm(folder, { recursive: true }));

/** Creates the claim of a killed process, with an id that no process has. */
async function leaveStaleClaim(): Promise<void> {
  await mkdir(lock);
  await writeFile(join(lock, "99999999-killed"), "");
}

test("a folder has one owner at a time, and a claim ends with its process", async () => {
  const release = await claim(lock);
  await expect(claim(lock)).rejects.toThrow(`in use by process ${process.pid}`);
  await release();
  await leaveStaleClaim();
  await (await claim(lock))();
  expect(await readdir(folder)).toEqual([]);
});

test("of many claims in one process, one succeeds", async () => {
  await leaveStaleClaim();
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(lock)));
  expect(claims.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

// Each line of input is the path of a lock: claim it, print the result, keep it. Node runs the TypeScript import.
const program = `
  import { createInterface } from "node:readline";
  import { claim } from ${JSON.stringify(new URL("./claim.ts", import.meta.url).href)};
  for await (const lock of createInterface({ input: process.stdin }))
    console.log(await claim(lock).then(() => "owner", (error) => error.message));
`;

class Contender {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
    this.#process = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    if (this.#process.stdout === null) throw new Error("The process has no output.");
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async claim(path: string): Promise<string> {
    this.#process.stdin?.write(`${path}\n`);
    return (await this.#lines.next()).value;
  }

  async end(): Promise<void> {
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

let processes: Contender[];
beforeAll(() => {
  processes = Array.from({ length: contenders }, () => new Contender());
});
afterAll(() => Promise.all(processes.map((each) => each.end())));

test("of many processes that find a claim left by a killed one, one becomes the owner", async () => {
  for (let round = 0; round < rounds; round++) {
    await leaveStaleClaim();
    const results = await Promise.all(processes.map((each) => each.claim(lock)));
    expect(results.filter((result) => result === "owner")).toHaveLength(1);
    for (const result of results) if (result !== "owner") expect(result).toContain("in use by process");
    await rm(lock, { recursive: true });
  }
});
