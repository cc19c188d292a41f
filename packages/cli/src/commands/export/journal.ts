import { type FileHandle, open, readFile, truncate, writeFile } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { ExportedFile } from "../../data/files/manifest";
import { UsageError } from "../../terminal/exit-codes";

/** How far the rows of a file were written. */
export interface Checkpoint {
  readonly bytes: number;
  readonly rows: number;
  readonly firstId?: string;
  readonly lastId?: string;
  /** Where the list continues. */
  readonly cursor?: string;
  /** The list has ended. */
  readonly isEnded?: true;
}

type Entry =
  | { readonly name: string; readonly checkpoint: Checkpoint }
  | { readonly name: string; readonly file: ExportedFile }
  | { readonly missing: string };

/**
 * What an export has done so far, one line per step, so that the same command continues after a kill. A line that was cut
 * is dropped: the step before it is repeated.
 */
export class Journal {
  readonly #file: FileHandle;
  readonly #checkpoints = new Map<string, Checkpoint>();
  readonly #files = new Map<string, ExportedFile>();
  readonly #missing = new Set<string>();
  #appended: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens the journal of an export with these options. One that has steps must have the same options. */
  static async open(path: string, options: object): Promise<Journal> {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (Object(error).code === "ENOENT") return "";
      throw error;
    });
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const [first, ...steps] = whole.split("\n").filter((line) => line !== "");
    const own = JSON.stringify(options);
    if (steps.length > 0 && !isDeepStrictEqual(JSON.parse(first ?? ""), JSON.parse(own)))
      throw new UsageError(
        "The folder has an unfinished export with other options. Repeat its command, or choose another folder.",
      );
    if (steps.length === 0) await writeFile(path, `${own}\n`);
    else if (whole !== text) await truncate(path, Buffer.byteLength(whole));
    const journal = new Journal(await open(path, "a"));
    for (const step of steps) journal.#remember(JSON.parse(step));
    return journal;
  }

  checkpointOf(name: string): Checkpoint | undefined {
    return this.#checkpoints.get(name);
  }

  fileOf(name: string): ExportedFile | undefined {
    return this.#files.get(name);
  }

  get missing(): readonly string[] {
    return [...this.#missing];
  }

  isMissing(channelId: string): boolean {
    return this.#missing.has(channelId);
  }

  /** Appends a step, one after the other: after a failure, which may leave a part of a line, none is appended. */
  add(entry: Entry): Promise<void> {
    this.#appended = this.#appended.then(async () => {
      await this.#file.appendFile(`${JSON.stringify(entry)}\n`);
      this.#remember(entry);
    });
    return this.#appended;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  #remember(entry: Entry): void {
    if ("missing" in entry) this.#missing.add(entry.missing);
    else if ("file" in entry) this.#files.set(entry.name, entry.file);
    else this.#checkpoints.set(entry.name, entry.checkpoint);
  }
}
