import { limits } from "@madang/contract";
import type { Queryable } from "../../db/db";
import { ServiceError } from "../../errors";
import { type EntryRow, listEntries } from "../channels/list-entries";
import { createRoster } from "../channels/roster";

export function listMembers(db: Queryable, channelId: string): Promise<EntryRow[]> {
  return listEntries(db, "members", channelId);
}

/** Makes a user a participant; one who already is changes nothing. The hundred-and-first is rejected. */
export async function joinChannel(
  db: Queryable,
  channelId: string,
  userId: string,
  now: number,
): Promise<void> {
  if ((await roster.add(db, channelId, userId, now)) === "full")
    throw new ServiceError(
      "member_limit_exceeded",
      `The channel ${channelId} has its ${limits.membersPerChannel} participants. A participant must leave first.`,
    );
}

/** Ends a user's membership; one who is no participant changes nothing. */
export async function leaveChannel(db: Queryable, channelId: string, userId: string): Promise<void> {
  await roster.remove(db, channelId, userId);
}

// `reuse` finds a channel's first participants on its row, and whether there were others.
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
