import { limits } from "@madang/contract";
import type { Queryable } from "../../db/db";
import { ServiceError } from "../../errors";
import { type EntryRow, listEntries } from "../channels/list-entries";
import { createRoster } from "../channels/roster";

export function listMembers(db: Queryable, channelId: string): Promise<EntryRow[]> {
  return listEntries(db, "members", channelId);
}

/** Lets a user take part; one who already does changes nothing. The hundred-and-first is refused. */
export async function joinChannel(
  db: Queryable,
  channelId: string,
  userId: string,
  now: number,
): Promise<void> {
  if ((await roster.add(db, channelId, userId, now)) === "full")
    throw new ServiceError(
      "member_limit_exceeded",
      `The channel ${channelId} has its ${limits.membersPerChannel} participants. Somebody must leave first.`,
    );
}

/** Ends a user's part; one who takes none changes nothing. */
export async function leaveChannel(db: Queryable, channelId: string, userId: string): Promise<void> {
  await roster.remove(db, channelId, userId);
}

// A new participant is noted on the channel, for `reuse`.
const roster = createRoster({
  table: "members",
  count: "member_count",
  most: limits.membersPerChannel,
  learn: `first_participant_pk = COALESCE(place.first_participant_pk, place.user_pk),
    second_participant_pk = CASE WHEN place.first_participant_pk <> place.user_pk
      THEN COALESCE(place.second_participant_pk, place.user_pk) ELSE place.second_participant_pk END,
    is_pair_only = place.is_pair_only AND (place.second_participant_pk IS NULL
      OR place.user_pk IN (place.first_participant_pk, place.second_participant_pk))`,
  isIn: ({ isMember }) => isMember,
});
