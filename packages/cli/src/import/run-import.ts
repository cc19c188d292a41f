import { type ChatClient, isChatError } from "@madang/client";
import { startProgress } from "../data/progress";
import type { Kind, Row } from "../data/tables";
import { CommandError } from "../exit-codes";
import { forEachConcurrently } from "../export/for-each-concurrently";
import type { Io } from "../io";
import { findProblem, nameRow } from "./find-problem";
import { importMessages } from "./import-messages";
import type { Source } from "./sources";

export interface ImportResult {
  /** What was created. The rest of the rows was there already. */
  users: number;
  channels: number;
  members: number;
  managers: number;
  messages: number;
  /** Messages that were imported before. */
  skipped: number;
  readonly missing_channels: string[];
}

/**
 * Imports the files in the order in which their rows depend on each other. It can be repeated: what exists stays as it is, and
 * messages have an `external_id`.
 */
export async function runImport(
  chat: ChatClient,
  io: Io,
  sources: readonly Source[],
  concurrency: number,
): Promise<ImportResult> {
  const counts = { users: 0, channels: 0, members: 0, managers: 0, messages: 0, skipped: 0 };
  const missing = new Set<string>();
  const callOptions = { signal: io.signal };
  const createUser = async ({ user_id, name, profile_url, meta }: Row) => {
    const user = {
      user_id,
      name: name ?? user_id,
      ...(profile_url !== undefined && { profile_url }),
      ...(meta !== undefined && { meta }),
    };
    // The row was checked; the service checks it again.
    const isNew = await unlessExists("user_exists", chat.users.create(user as never, callOptions));
    if (isNew) counts.users += 1;
  };

  for await (const row of rowsOf(sources, "users")) await createUser(row);
  const members = await groupEntries(sources, "members");
  const frozen: string[] = [];
  for await (const row of rowsOf(sources, "channels")) {
    const channelId = String(row.channel_id);
    if (row.freeze === true) frozen.push(channelId);
    await createChannel(row, members.get(channelId) ?? []);
    members.delete(channelId);
  }
  for (const [channelId, ids] of members) await join(channelId, ids);
  for (const [channelId, ids] of await groupEntries(sources, "managers")) await addManagers(channelId, ids);

  const progress = startProgress(io, "messages", undefined);
  const files = sources.filter(({ kind }) => kind === "messages");
  try {
    await forEachConcurrently(toAsync(files), concurrency, (source) =>
      importMessages(source, {
        chat,
        callOptions,
        createUser,
        onMissingChannel: (channelId) => void missing.add(channelId),
        onImported({ imported, skipped }) {
          counts.messages += imported;
          counts.skipped += skipped;
          progress.add(imported + skipped);
        },
      }),
    );
  } finally {
    progress.end();
  }
  for (const channelId of frozen) await chat.channels.freeze(channelId, true, callOptions);
  return { ...counts, missing_channels: [...missing].sort() };

  async function createChannel(row: Row, memberIds: readonly string[]): Promise<void> {
    const { channel_id, name, profile_url, meta } = row;
    const first = memberIds.slice(0, 100);
    const channel = {
      channel_id,
      name,
      members: first,
      ...(profile_url !== undefined && { profile_url }),
      ...(meta !== undefined && { meta }),
    };
    // As for users.
    const isNew = await unlessExists("channel_exists", chat.channels.create(channel as never, callOptions));
    if (!isNew) return join(String(channel_id), memberIds);
    counts.channels += 1;
    counts.members += first.length;
  }

  async function join(channelId: string, ids: readonly string[]): Promise<void> {
    const present = new Set(
      (await chat.channels.members.list(channelId, callOptions)).map(({ user_id }) => user_id),
    );
    for (const id of ids.filter((each) => !present.has(each))) {
      await chat.channels.members.join(channelId, id, callOptions);
      counts.members += 1;
    }
  }

  async function addManagers(channelId: string, ids: readonly string[]): Promise<void> {
    const present = new Set(
      (await chat.channels.managers.list(channelId, callOptions)).map(({ user_id }) => user_id),
    );
    for (const id of ids.filter((each) => !present.has(each))) {
      await chat.channels.managers.add(channelId, id, callOptions);
      counts.managers += 1;
    }
  }
}

async function unlessExists(code: string, work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isChatError(error) && error.code === code) return false;
    throw error;
  }
}

async function* rowsOf(sources: readonly Source[], kind: Kind): AsyncGenerator<Row> {
  for (const source of sources.filter((each) => each.kind === kind))
    for await (const batch of source.rows())
      for (const row of batch) {
        const problem = findProblem(kind, row);
        if (problem !== undefined) throw new CommandError(`${source.path}: ${nameRow(row)}: ${problem}`);
        yield row;
      }
}

async function groupEntries(
  sources: readonly Source[],
  kind: "members" | "managers",
): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>();
  for await (const { channel_id, user_id } of rowsOf(sources, kind)) {
    const ids = groups.get(String(channel_id)) ?? [];
    ids.push(String(user_id));
    groups.set(String(channel_id), ids);
  }
  return groups;
}

async function* toAsync<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}
