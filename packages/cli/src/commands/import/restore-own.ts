import {
  type CallOptions,
  type ChatClient,
  isChatError,
  type PreferencesChange,
  type UserChannel,
} from "@madang/client";
import { chunksOfIds } from "../../data/lists/list-by-ids";
import { listOwn } from "../../data/lists/list-own";
import type { Row } from "../../data/tables/column";
import type { Kind, OwnKind } from "../../data/tables/tables";
import { forEachConcurrently, toAsync } from "../export/for-each-concurrently";
import { explained, unlessRejected } from "./rejection";

interface LocatedRow {
  readonly row: Row;
  readonly location: string;
}

export interface Restoring {
  readonly chat: ChatClient;
  readonly rows: (kind: Kind) => AsyncIterable<LocatedRow>;
  readonly callOptions: CallOptions;
  readonly concurrency: number;
  readonly reportProgress: (unit: string, work: (onRow: () => void) => Promise<void>) => Promise<void>;
}

/** Blocks whom users had blocked. */
export async function restoreBlocks(restoring: Restoring) {
  const { chat, callOptions } = restoring;
  const counts = { blocks: 0, removed_blocks: 0 };
  await forEachUser(restoring, "blocks", async (userId, rows) => {
    const present = await listOwn(chat, "blocks", userId, undefined, callOptions);
    const blocked = new Set(present.map(({ blocked_user_id }) => blocked_user_id));
    for (const { row, location } of rows) {
      const id = String(row.blocked_user_id);
      if (blocked.has(id)) continue;
      const adding = chat.users.blocks.add(userId, id, callOptions);
      const codes = ["user_not_found", "block_limit_exceeded"];
      const isAdded = await explained(unlessRejected(codes, adding), location);
      counts[isAdded ? "blocks" : "removed_blocks"] += 1;
    }
  });
  return counts;
}

/** Sets the preferences of participants who have none yet. Who changed them since the first import keeps the change. */
export async function restorePreferences(restoring: Restoring) {
  const { chat, callOptions } = restoring;
  const counts = { preferences: 0, removed_preferences: 0, removed_quiet_until: 0 };
  await forEachUser(restoring, "preferences", async (userId, rows) => {
    const ids = rows.map(({ row }) => String(row.channel_id));
    const lines = await findLines(restoring, userId, ids);
    // They are pinned in the same order as before.
    for (const { row, location } of rows.sort(byTimeOfPinning)) {
      const change = preferencesToSet(row);
      if (row.quiet_until !== undefined && change.quiet_until === undefined) counts.removed_quiet_until += 1;
      if (Object.keys(change).length === 0) continue;
      const id = String(row.channel_id);
      const line = lines.get(id);
      if (line?.preferences) continue;
      // Messages that came after an earlier import are to be seen.
      const isLeftOut = line === undefined || (change.hidden === true && line.unread_count > 0);
      const set = () => chat.channels.members.setPreferences(id, userId, change, callOptions);
      const isSet = !isLeftOut && (await explained(unlessRejected(rejections, set()), location));
      counts[isSet ? "preferences" : "removed_preferences"] += 1;
    }
  });
  return counts;
}

const rejections = ["channel_not_found", "user_not_found", "not_a_participant", "pin_limit_exceeded"];

const byTimeOfPinning = (one: LocatedRow, other: LocatedRow) =>
  Number(one.row.pinned_at ?? 0) - Number(other.row.pinned_at ?? 0);

/** What sets the preferences of a row, without a time of silence that has passed. */
export function preferencesToSet({
  notify,
  quiet_until,
  hidden,
  archived,
  pinned_at,
}: Row): PreferencesChange {
  return {
    // The row was checked.
    ...(notify !== undefined && { notify: notify as "mentions" | "none" }),
    ...(Number(quiet_until) > Date.now() && { quiet_until: Number(quiet_until) }),
    ...(hidden === true && { hidden }),
    ...(archived === true && { archived }),
    ...(pinned_at !== undefined && { pinned: true }),
  };
}

/** The channels of a user by id, of those with these ids. */
async function findLines(
  { chat, callOptions }: Restoring,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserChannel>> {
  const lines = new Map<string, UserChannel>();
  try {
    for await (const channel_ids of chunksOfIds(ids))
      for await (const line of chat.users.channels(userId, { channel_ids }, callOptions))
        lines.set(line.channel_id, line);
  } catch (error) {
    if (!isChatError(error) || error.code !== "user_not_found") throw error;
  }
  return lines;
}

/** The rows of a kind, those of each user one after the other, of some users at the same time. */
async function forEachUser(
  { rows, concurrency, reportProgress }: Restoring,
  kind: OwnKind,
  work: (userId: string, rows: LocatedRow[]) => Promise<void>,
): Promise<void> {
  const users = new Map<string, LocatedRow[]>();
  for await (const each of rows(kind)) {
    const userId = String(each.row.user_id);
    const found = users.get(userId) ?? [];
    found.push(each);
    users.set(userId, found);
  }
  await reportProgress(kind, (onRow) =>
    forEachConcurrently(toAsync(users), concurrency, async ([userId, found]) => {
      await work(userId, found);
      for (const _ of found) onRow();
    }),
  );
}
