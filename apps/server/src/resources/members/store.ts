import { limits } from "@madang/contract";
import type { Queryable } from "../../db/db";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { type EntryRow, listEntries } from "../channels/list-entries";
import { createRoster } from "../channels/roster";

export function listMembers(db: Queryable, channelId: string): Promise<EntryRow[]> {
  return listEntries(db, "members", channelId);
}

/** Adds a participant. If the user is a participant already, nothing changes. */
export async function joinChannel(
  writer: Writer,
  channelId: string,
  userId: string,
  now: number,
): Promise<void> {
  if ((await roster.add(writer, channelId, userId, now)) === "full")
    throw new ServiceError(
      "member_limit_exceeded",
      `The channel ${channelId} already has ${limits.membersPerChannel} participants, the maximum. Remove one first.`,
    );
}

/** Removes a participant. If the user is not a participant, nothing changes. */
export async function leaveChannel(writer: Writer, channelId: string, userId: string): Promise<void> {
  await roster.remove(writer, channelId, userId);
}

// The channel's row stores its first two participants, and whether there were others, for `reuse`.
const roster = createRoster({
  table: "members",
  count: "member_count",
  max: limits.membersPerChannel,
  absence: "ignored",
  added: "member.joined",
  removed: "member.left",
  history: `first_participant_pk = COALESCE(locked.first_participant_pk, locked.user_pk),
    second_participant_pk = CASE WHEN locked.first_participant_pk <> locked.user_pk
      THEN COALESCE(locked.second_participant_pk, locked.user_pk) ELSE locked.second_participant_pk END,
    is_pair_only = locked.is_pair_only AND (locked.second_participant_pk IS NULL
      OR locked.user_pk IN (locked.first_participant_pk, locked.second_participant_pk))`,
});
