import { type ChatClient, ids, isChatError } from "@madang/client";
import { limits } from "@madang/contract/limits";
import { chunks, listByIds } from "../../data/lists/list-by-ids";
import type { Row } from "../../data/tables/column";
import { idFields, type Kind } from "../../data/tables/tables";
import type { Io } from "../../terminal/io";
import { startProgress } from "../../terminal/progress";
import { forEachConcurrently, toAsync } from "../export/for-each-concurrently";
import { locateRow, type Sender } from "./check-sources";
import { importMessages } from "./import-messages";
import { explained, unlessRejected } from "./rejection";
import { restoreBlocks, restorePreferences } from "./restore-own";
import { restoreRestrictions } from "./restore-restrictions";
import { rowsOf, type Source } from "./sources";
import { bodyOf } from "./take-back";

export interface ImportResult {
  /** What was created. The rest of the rows was there already. */
  users: number;
  channels: number;
  members: number;
  managers: number;
  blocks: number;
  preferences: number;
  messages: number;
  /** Messages that were imported before. */
  skipped: number;
  /** Participants and managers whom the server has banned or suspended since. */
  removed_members: number;
  /** Replies to messages, and mentions of users, that do not exist. Their messages were imported without them. */
  removed_replies: number;
  removed_mentions: number;
  /** Files whose bytes the folder does not have. Their messages were imported without them. */
  removed_files: number;
  /** Blocks and preferences of what the server does not have, or that it has no place for. */
  removed_blocks: number;
  removed_preferences: number;
  /** Times of silence that have passed. */
  removed_quiet_until: number;
  readonly missing_channels: string[];
}

/**
 * Imports the files in the order in which their rows depend on each other. It can be repeated: users and channels that exist
 * stay as they are, messages have an `external_id`, and restrictions are set as the files have them, again.
 */
export async function runImport(
  chat: ChatClient,
  io: Io,
  sources: readonly Source[],
  senders: ReadonlyMap<string, Sender>,
  concurrency: number,
  dir: string,
): Promise<ImportResult> {
  const counts = { users: 0, channels: 0, members: 0, managers: 0, messages: 0, skipped: 0 };
  const removed = { removed_members: 0, removed_replies: 0, removed_mentions: 0, removed_files: 0 };
  const missing = new Set<string>();
  const callOptions = { signal: io.signal };
  const restoring = { chat, rows: located, callOptions, concurrency, reportProgress };

  await createUsers(located("users"));
  // Before the messages: an earlier one may mention the sender of a later one.
  await createUsers(senders.values());
  const members = await groupEntries("members");
  await createChannels();
  for (const [channelId, entries] of members) await join(channelId, entries);
  for (const [channelId, entries] of await groupEntries("managers")) await addManagers(channelId, entries);
  await restoreRestrictions(chat, located, callOptions);
  const blocks = await restoreBlocks(restoring);

  const progress = startProgress(io, "messages", undefined);
  const files = sources.filter(({ kind }) => kind === "messages");
  const buffered = { bytes: 0 };
  try {
    await forEachConcurrently(toAsync(files), concurrency, (source) =>
      importMessages(source, {
        chat,
        callOptions,
        buffered,
        dir,
        onFilesLeftOut(count) {
          removed.removed_files += count;
        },
        onMissingChannel: (channelId) => void missing.add(channelId),
        onImported({ imported, skipped, replies, mentions }) {
          removed.removed_replies += replies;
          removed.removed_mentions += mentions;
          counts.messages += imported;
          counts.skipped += skipped;
          progress.add(imported + skipped);
        },
      }),
    );
  } finally {
    progress.end();
  }
  // A message ends that a channel is hidden.
  const preferences = await restorePreferences(restoring);
  return { ...counts, ...removed, ...blocks, ...preferences, missing_channels: [...missing].sort() };

  async function createUsers(rows: Iterable<LocatedRow> | AsyncIterable<LocatedRow>): Promise<void> {
    await reportProgress("users", async (onRow) => {
      for await (const { row, location, exists } of findMissing("users", rows)) {
        onRow();
        if (exists) continue;
        const { user_id, name = nameOf(String(user_id)), ...others } = bodyOf("users", row);
        // The row was checked; the service checks it again.
        const user = { user_id, name, ...others } as never;
        const creating = unlessRejected(["user_exists"], chat.users.create(user, callOptions));
        if (await explained(creating, location)) counts.users += 1;
      }
    });
  }

  async function createChannels(): Promise<void> {
    await reportProgress("channels", async (onRow) => {
      for await (const { row, location, exists } of findMissing("channels", located("channels"))) {
        onRow();
        const channelId = String(row.channel_id);
        const entries = members.get(channelId) ?? [];
        await explained(exists ? join(channelId, entries) : createChannel(row, entries), location);
        members.delete(channelId);
      }
    });
  }

  /** The rows, and whether the service has what they name. */
  async function* findMissing(
    kind: "users" | "channels",
    rows: Iterable<LocatedRow> | AsyncIterable<LocatedRow>,
  ): AsyncGenerator<LocatedRow & { readonly exists: boolean }> {
    const idOf = (row: Row) => String(row[idFields[kind]]);
    for await (const some of chunks(rows, limits.idsPerList.max)) {
      const found = new Set<string>();
      for await (const page of listByIds(
        chat,
        kind,
        some.map(({ row }) => idOf(row)),
        callOptions,
      ))
        for (const row of page) found.add(idOf(row));
      for (const each of some) yield { ...each, exists: found.has(idOf(each.row)) };
    }
  }

  async function reportProgress(unit: string, work: (onRow: () => void) => Promise<void>): Promise<void> {
    const progress = startProgress(io, unit, undefined);
    await work(() => progress.add(1)).finally(() => progress.end());
  }

  async function createChannel(row: Row, members: readonly ChannelEntry[]): Promise<void> {
    const body = bodyOf("channels", row);
    const first = members.slice(0, limits.membersPerCreate).map(({ userId }) => userId);
    const channelId = String(row.channel_id);
    try {
      // As for users.
      const channel = { ...body, members: first } as never;
      const isNew = await unlessRejected(["channel_exists"], chat.channels.create(channel, callOptions));
      if (!isNew) return join(channelId, members);
      counts.channels += 1;
      counts.members += first.length;
    } catch (error) {
      // An earlier import suspended a member: the others can still join.
      if (!isChatError(error) || error.code !== "user_suspended" || first.length === 0) throw error;
      await createChannel(row, []);
      await join(channelId, members);
    }
  }

  async function join(channelId: string, entries: readonly ChannelEntry[]): Promise<void> {
    const { members } = chat.channels;
    const list = members.list(channelId, callOptions);
    const add = (id: string) => members.join(channelId, id, callOptions);
    counts.members += await addMissing(list, entries, add, onRestricted);
  }

  async function addManagers(channelId: string, entries: readonly ChannelEntry[]): Promise<void> {
    const { managers } = chat.channels;
    const list = managers.list(channelId, callOptions);
    const add = (id: string) => managers.add(channelId, id, callOptions);
    counts.managers += await addMissing(list, entries, add, onRestricted);
  }

  function onRestricted(): void {
    removed.removed_members += 1;
  }

  async function* located(kind: Kind): AsyncGenerator<LocatedRow> {
    for (const source of sources.filter((each) => each.kind === kind))
      for await (const { row, line } of rowsOf(source)) yield { row, location: locateRow(source, line, row) };
  }

  /** The participants or managers of each channel. */
  async function groupEntries(kind: "members" | "managers"): Promise<Map<string, ChannelEntry[]>> {
    const groups = new Map<string, ChannelEntry[]>();
    for await (const { row, location } of located(kind)) {
      const entries = groups.get(String(row.channel_id)) ?? [];
      entries.push({ userId: String(row.user_id), location });
      groups.set(String(row.channel_id), entries);
    }
    return groups;
  }
}

interface LocatedRow {
  readonly row: Row;
  readonly location: string;
}

/** A participant or a manager of a file. */
interface ChannelEntry {
  readonly userId: string;
  readonly location: string;
}

/** Adds the entries that the list does not have, and returns their number. */
async function addMissing(
  list: Promise<readonly { readonly user_id: string }[]>,
  entries: readonly ChannelEntry[],
  add: (userId: string) => Promise<unknown>,
  onRestricted: () => void,
): Promise<number> {
  const present = new Set((await explained(list, entries[0]?.location ?? "")).map(({ user_id }) => user_id));
  const missing = entries.filter(({ userId }) => !present.has(userId));
  let added = 0;
  for (const { userId, location } of missing)
    if (await explained(unlessRejected(restrictions, add(userId)), location)) added += 1;
    else onRestricted();
  return added;
}

/** Who was banned or suspended since the files were made does not come back by an import. */
const restrictions = ["user_banned", "user_suspended"];

/** The name of a sender who has none: the id, as it was before it was encoded. */
function nameOf(userId: string): string {
  try {
    return ids.decode(userId);
  } catch {
    // The hash of a long name, or an id that only looks encoded.
    return userId;
  }
}
