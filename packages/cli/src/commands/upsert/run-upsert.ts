import { createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { NewUser } from "@madang/client";
import { locate, readEntries } from "../../data/tables/read-rows";
import type { Session } from "../../session";
import { CommandError, exitCodes } from "../../terminal/exit-codes";
import { explainInterruption } from "../../terminal/explain-interruption";
import type { Io } from "../../terminal/io";
import { startProgress } from "../../terminal/progress";
import { explain } from "../import/rules";
import { newUser, takeUser } from "../import/take-back";

export interface UpsertOptions {
  readonly dryRun?: true;
  readonly format?: "csv" | "ndjson";
}

/** Creates or updates the users of a file. Those that break a rule are reported, and the others are stored. */
export async function upsertFile(path: string, options: UpsertOptions, session: Session): Promise<void> {
  if (path !== "-") {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile())
      throw new CommandError(`${path} is not a file that can be read.`, exitCodes.notFound);
    return upsertRows(path, path, options, session);
  }
  // Files are read in blocks at known positions.
  const folder = await mkdtemp(join(tmpdir(), "madang-upsert-"));
  try {
    const file = join(folder, `users.${options.format ?? "ndjson"}`);
    await saveInput(session.io, file);
    await upsertRows(file, "stdin", options, session);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const saveInput = ({ stdin, signal }: Io, file: string) =>
  pipeline(stdin, createWriteStream(file, { mode: 0o600 }), { signal });

/** `name` is the file in messages. */
async function upsertRows(
  file: string,
  name: string,
  options: UpsertOptions,
  session: Session,
): Promise<void> {
  const { io, output } = session;
  const counts = { created: 0, updated: 0, unchanged: 0 };
  let valid = 0;
  let rejected = 0;
  const leftOut = new Set<string>();
  /** The lines of users that were sent and have no result yet. */
  const lines: number[] = [];
  const reject = (line: number, reason: string) => {
    rejected += 1;
    output.note(`${locate(name, line)}: ${reason}`);
  };
  async function* readUsers(): AsyncGenerator<NewUser> {
    for await (const entries of readEntries(file, "users"))
      for (const entry of entries) {
        if ("problem" in entry) {
          reject(entry.line, entry.problem);
          continue;
        }
        const { taken, leftOut: names } = takeUser(entry.row);
        for (const each of names) leftOut.add(each);
        const problems = explain(newUser, taken);
        if (problems.length > 0) {
          reject(entry.line, problems.join(" "));
          continue;
        }
        valid += 1;
        lines.push(entry.line);
        // The schema of the service has accepted it.
        yield taken as unknown as NewUser;
      }
  }
  const progress = startProgress(io, options.dryRun ? "users checked" : "users", undefined);
  try {
    if (options.dryRun) for await (const _ of readUsers()) progress.add(1);
    else {
      const chat = await session.connectPatiently();
      for await (const { result, code } of chat.users.upsertMany(readUsers(), { signal: io.signal })) {
        const line = lines.shift() ?? 0;
        if (result === undefined) reject(line, `the server rejects it: ${code}.`);
        else counts[result] += 1;
        progress.add(1);
      }
    }
  } catch (error) {
    throw explainInterruption(
      error,
      "Run the same command again: users that are stored already are not written again.",
    );
  } finally {
    progress.end();
  }
  if (leftOut.size > 0) output.note(`These fields were left out: ${[...leftOut].slice(0, 50).join(", ")}.`);
  await output.item(options.dryRun ? { valid, rejected } : { ...counts, rejected });
  if (rejected > 0)
    throw new CommandError(`Rejected users: ${rejected}.${options.dryRun ? "" : " The others are stored."}`);
}
