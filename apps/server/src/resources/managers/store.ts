import { limits } from "@madang/contract";
import type { Queryable } from "../../db/db";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { type EntryRow, listEntries } from "../channels/list-entries";
import { createRoster } from "../channels/roster";

export function listManagers(db: Queryable, channelId: string): Promise<EntryRow[]> {
  return listEntries(db, "managers", channelId);
}

/** Adds a manager. If the user is a manager already, nothing changes. */
export async function addManager(
  writer: Writer,
  channelId: string,
  userId: string,
  now: number,
): Promise<void> {
  if ((await roster.add(writer, channelId, userId, now)) === "full")
    throw new ServiceError(
      "manager_limit_exceeded",
      `The channel ${channelId} already has ${limits.managersPerChannel} managers, the maximum. Remove one first.`,
    );
}

export async function removeManager(writer: Writer, channelId: string, userId: string): Promise<void> {
  if (!(await roster.remove(writer, channelId, userId)))
    throw new ServiceError(
      "manager_not_found",
      `The user ${userId} is not a manager of the channel ${channelId}.`,
    );
}

// `reuse` never returns a channel that ever had a manager.
const roster = createRoster({
  table: "managers",
  count: "manager_count",
  max: limits.managersPerChannel,
  absence: "rejected",
  added: "manager.added",
  removed: "manager.removed",
  history: "is_pair_only = false",
});
