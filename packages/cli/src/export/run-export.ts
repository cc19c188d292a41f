import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ChatClient, isChatError } from "@madang/client";
import {
  type DayRange,
  type ExportedFile,
  type Manifest,
  manifestPath,
  readManifest,
  writeManifest,
} from "../data/manifest";
import { startProgress } from "../data/progress";
import { type Format, readRows } from "../data/read-rows";
import { idFields, type Kind, type Row } from "../data/tables";
import { UsageError } from "../exit-codes";
import type { Io } from "../io";
import { forEachConcurrently } from "./for-each-concurrently";
import { Journal } from "./journal";
import { publish, removeSpool } from "./publish";
import { type SpoolPage, spool, spoolPath, workFolder } from "./spool";

export interface ExportOptions {
  readonly dir: string;
  readonly server: string;
  /** Undefined: all. */
  readonly channels: readonly string[] | undefined;
  readonly format: Format;
  readonly hasByteOrderMark: boolean;
  readonly range: DayRange;
  readonly concurrency: number;
  readonly now: () => number;
}

/** How often a request is repeated while the server does not respond: for a minute or more. */
export const maxRetries = 20;

/** Exports into a folder. Called again with the same options after an interruption, it continues. */
export async function runExport(
  chat: ChatClient,
  io: Io,
  options: ExportOptions,
  note: (text: string) => void,
): Promise<Manifest> {
  const { dir, server, channels, format, hasByteOrderMark, range } = options;
  const finished = await readManifest(dir);
  if (finished !== undefined) {
    if (!(await hasWorkFolder(dir)))
      throw new UsageError(
        `${manifestPath(dir)} exists: the folder has a finished export. Choose another folder.`,
      );
    // It was killed after the manifest had been written: only this is left.
    await rm(join(dir, workFolder), { recursive: true, force: true });
    return finished;
  }
  await mkdir(join(dir, workFolder), { recursive: true });
  const identity = { version: 1, server, channels, format, hasByteOrderMark, range };
  const journal = await Journal.open(join(dir, workFolder, "journal"), identity);
  try {
    const run = new ExportRun(chat, io, options, journal, note);
    const files = await run.export();
    const manifest: Manifest = {
      version: 1,
      format,
      server,
      ...(channels && { channels }),
      ...range,
      exported_at: options.now(),
      files,
      missing_channels: journal.missing,
    };
    await writeManifest(dir, manifest);
    await rm(join(dir, workFolder), { recursive: true, force: true });
    return manifest;
  } finally {
    await journal.close();
  }
}

function hasWorkFolder(dir: string): Promise<boolean> {
  return stat(join(dir, workFolder)).then(
    () => true,
    () => false,
  );
}

class ExportRun {
  readonly #chat: ChatClient;
  readonly #io: Io;
  readonly #options: ExportOptions;
  readonly #journal: Journal;
  readonly #note: (text: string) => void;

  constructor(
    chat: ChatClient,
    io: Io,
    options: ExportOptions,
    journal: Journal,
    note: (text: string) => void,
  ) {
    this.#chat = chat;
    this.#io = io;
    this.#options = options;
    this.#journal = journal;
    this.#note = note;
  }

  async export(): Promise<ExportedFile[]> {
    const { channels } = this.#options;
    await this.#spoolList("channels", (cursor) => this.#listChannels(cursor));
    await this.#spoolList("members", (cursor) => this.#listEntries("members", cursor));
    await this.#spoolList("managers", (cursor) => this.#listEntries("managers", cursor));
    if (channels === undefined) await this.#spoolList("users", (cursor) => this.#listUsers(cursor));
    else await this.#spoolList("users", () => this.#listUsersOfEntries());
    const messages = await this.#exportMessages();
    const files: ExportedFile[] = [];
    for (const kind of ["users", "channels", "members", "managers"] as const)
      files.push(await this.#publish(kind, kind));
    return [...files, ...messages.sort((one, other) => (one.path < other.path ? -1 : 1))];
  }

  get #callOptions() {
    return { signal: this.#io.signal, maxRetries };
  }

  async #spoolList(
    kind: Kind,
    list: (cursor: string | undefined) => AsyncIterable<SpoolPage>,
  ): Promise<void> {
    const { dir } = this.#options;
    if (this.#journal.fileOf(kind)) return;
    await spool(this.#journal, { dir, name: kind, idField: idFields[kind] }, list, () => undefined);
  }

  async *#listChannels(cursor: string | undefined): AsyncGenerator<SpoolPage> {
    const { channels } = this.#options;
    if (channels === undefined) {
      const pager = this.#chat.channels.list({ pageSize: 30, cursor }, this.#callOptions);
      for await (const page of pager.pages()) yield { rows: page.items.map(toRow), cursor: page.nextCursor };
      return;
    }
    const rows: Row[] = [];
    for (const id of channels) rows.push(toRow(await this.#chat.channels.get(id, this.#callOptions)));
    yield { rows, cursor: undefined };
  }

  async *#listUsers(cursor: string | undefined): AsyncGenerator<SpoolPage> {
    const pager = this.#chat.users.list({ pageSize: 30, cursor }, this.#callOptions);
    for await (const page of pager.pages()) yield { rows: page.items.map(toRow), cursor: page.nextCursor };
  }

  /** The participants or managers of every channel, in the order of the channels. The cursor counts channels. */
  async *#listEntries(kind: "members" | "managers", cursor: string | undefined): AsyncGenerator<SpoolPage> {
    let index = 0;
    for await (const id of this.#channelIds()) {
      index += 1;
      if (index <= Number(cursor ?? 0) || this.#journal.isMissing(id)) continue;
      const entries = await this.#unlessMissing(id, this.#chat.channels[kind].list(id, this.#callOptions));
      const rows = (entries ?? []).map((entry) => ({ channel_id: id, ...entry }));
      yield { rows, cursor: String(index) };
    }
    yield { rows: [], cursor: undefined };
  }

  /** Of an export of some channels: their participants and managers. */
  async *#listUsersOfEntries(): AsyncGenerator<SpoolPage> {
    const users = new Map<unknown, Row>();
    for (const kind of ["members", "managers"] as const)
      for await (const rows of readRows(spoolPath(this.#options.dir, kind), kind))
        for (const { channel_id: _, joined_at: __, ...user } of rows) users.set(user.user_id, user);
    const rows = [...users.values()].sort((one, other) => Number(other.created_at) - Number(one.created_at));
    yield { rows, cursor: undefined };
  }

  async #exportMessages(): Promise<ExportedFile[]> {
    const { concurrency, range } = this.#options;
    const hasRange = range.from !== undefined || range.to !== undefined;
    const progress = startProgress(this.#io, "messages", hasRange ? undefined : await this.#countMessages());
    const files: ExportedFile[] = [];
    try {
      await forEachConcurrently(this.#channelIds(), concurrency, async (id) => {
        if (this.#journal.isMissing(id)) return;
        const file = await this.#unlessMissing(
          id,
          this.#exportChannel(id, (count) => progress.add(count)),
        );
        if (file) files.push(file);
        else await removeSpool(this.#options.dir, `messages/${id}`);
      });
    } finally {
      progress.end();
    }
    return files;
  }

  async #exportChannel(id: string, onRows: (count: number) => void): Promise<ExportedFile> {
    const { concurrency, dir, range } = this.#options;
    // A page that is fetched ahead takes memory, and other channels use the time too.
    const prefetch = concurrency === 1 ? 1 : 0;
    const name = `messages/${id}`;
    const { from: start_date, to: end_date, timezone } = range;
    const days = { start_date, end_date, timezone };
    const list = async function* (this: ExportRun, cursor: string | undefined): AsyncGenerator<SpoolPage> {
      const query = { ...(cursor === undefined ? { ...days, pageSize: 1_000 } : { cursor }), prefetch };
      for await (const page of this.#chat.exports.messages(id, query, this.#callOptions).pages())
        yield { rows: page.items.map(toRow), cursor: page.nextCursor };
    };
    if (!this.#journal.fileOf(name))
      await spool(this.#journal, { dir, name, idField: idFields.messages }, list.bind(this), onRows);
    return this.#publish(name, "messages", id);
  }

  async #publish(name: string, kind: Kind, channelId?: string): Promise<ExportedFile> {
    const checkpoint = this.#journal.checkpointOf(name) ?? { bytes: 0, rows: 0 };
    const named = { name, kind, checkpoint, ...(channelId !== undefined && { channelId }) };
    return this.#inTurn(() => publish(this.#journal, this.#options, named));
  }

  // Conversions hold the rows of a row group: one at a time, so that the memory does not grow with the concurrency.
  #turn: Promise<unknown> = Promise.resolve();
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Undefined when the channel was deleted meanwhile. */
  async #unlessMissing<Result>(id: string, work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!isChatError(error) || error.code !== "channel_not_found") throw error;
      this.#note(
        `The channel ${id} was deleted meanwhile. The export leaves it out; nothing has to be repeated.`,
      );
      await this.#journal.add({ missing: id });
      return undefined;
    }
  }

  async *#channelIds(): AsyncGenerator<string> {
    for await (const rows of this.#channels()) for (const { channel_id } of rows) yield String(channel_id);
  }

  async #countMessages(): Promise<number> {
    let total = 0;
    for await (const rows of this.#channels())
      for (const { total_message_count } of rows) total += Number(total_message_count);
    return total;
  }

  /** The spool is there until everything else has been exported. */
  #channels(): AsyncGenerator<Row[]> {
    return readRows(spoolPath(this.#options.dir, "channels"), "channels");
  }
}

/** A resource of the SDK as a row. */
const toRow = (resource: object): Row => ({ ...resource });
