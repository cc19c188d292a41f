import { limits } from "@madang/contract";
import { lockUsersAndChannels } from "../../chat/channels/lock-store";
import { checkOfRight } from "../../chat/channels/rights-store";
import { defineLookup, requireChannelAndUser } from "../../chat/channels/store";
import { hasRole } from "../../chat/channels/visibility";
import { emit } from "../../chat/emit";
import { isHidden } from "../../chat/members/preferences";
import { notAParticipant } from "../../chat/restrictions/errors";
import { type Db, databaseNow, readSchemas, type Statement, type Tx } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { rejectPastTime } from "../moderation/store";

/** Absent fields keep their value. */
export interface PreferencesChange {
  readonly notify: "all" | "mentions" | "none" | undefined;
  /** Null ends it. */
  readonly quietUntil: number | null | undefined;
  readonly hidden: boolean | undefined;
  readonly archived: boolean | undefined;
  readonly pinned: boolean | undefined;
}

/** Sets preferences of a participant. Pinned, hidden and archived exclude each other: the new one ends the others. */
export async function setPreferences(
  db: Db,
  writer: Writer,
  { channelId, userId }: { readonly channelId: string; readonly userId: string },
  change: PreferencesChange,
  now: number,
): Promise<void> {
  const { notify = null, quietUntil, hidden = null, archived = null, pinned = null } = change;
  const named = [channelId, userId];
  const values = [notify, quietUntil !== undefined, quietUntil ?? null, hidden, archived, pinned, now];
  const check = checkOfRight(writer, { channelId });
  const write = () =>
    writer.writeAll(async (tx) => {
      await check?.(tx);
      if (pinned === true) await requireFewPinned(db.isDistributed ? db : tx, tx, userId, channelId);
      await tx.query(lockUsersAndChannels, [[channelId], [userId]]);
      await check?.(tx);
      return tx.query(set, [...named, ...values]);
    });
  await writeOrExplain(
    () => (pinned === true && db.isDistributed ? whileUserLocked(db, userId, write) : write()),
    async () => {
      if (quietUntil != null) await rejectPastTime(writer.db, quietUntil, "quiet_until");
      const { isMember } = await requireChannelAndUser(writer.db, explain, channelId, userId);
      if (!isMember) throw notAParticipant(userId, channelId);
      return undefined;
    },
  );
}

/** On Citus, the channels of a user are on several nodes: what it may do once at a time is locked on the coordinator. */
function whileUserLocked<Result>(db: Db, userId: string, work: () => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query(lockOwner, [userId]);
    return work();
  });
}

/** Locks the user, so that two channels are not both pinned where only one may be. */
async function requireFewPinned(db: Db, tx: Tx, userId: string, channelId: string): Promise<void> {
  if (!db.isDistributed) await tx.query(lockOwner, [userId]);
  const counts = (await readSchemas(db, countOthersPinned, [userId, channelId])).flat();
  const pinned = counts.reduce((sum, { count }) => sum + count, 0);
  if (pinned < limits.pinnedChannels) return;
  throw new ServiceError(
    "pin_limit_exceeded",
    `The user ${userId} already has ${limits.pinnedChannels} pinned channels, the maximum. Unpin one first.`,
  );
}

/** It does not wait for the sends of the user. */
const lockOwner: Statement<unknown> = {
  name: "preferences.lock-owner",
  text: "SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
};

const countOthersPinned: Statement<{ readonly count: number }> = {
  name: "preferences.count-others-pinned",
  text: `SELECT count(*) FROM users u JOIN members m ON m.user_pk = u.pk AND m.pinned_at IS NOT NULL
    JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL AND c.channel_id <> $2
    WHERE u.user_id = $1 AND u.deleted_at IS NULL`,
};

const explain = defineLookup<{ readonly isMember: boolean }>(
  "preferences.explain",
  `${hasRole("members", "c.pk", "u.pk")} AS "isMember"`,
);

const about = {
  channelPk: "channel_pk",
  channelId: "$1",
  userPk: "user_pk",
  userId: "$2",
};

// The channel is locked: no message comes between its end and the place that a hidden channel keeps. A key from the sequence of the
// messages is smaller than those of all later ones.
const set: Statement<unknown> = {
  name: "preferences.set",
  text: `WITH old AS (
      SELECT m.*, c.latest_at, ${isHidden("m")} AS is_hidden FROM channels c, users u, members m
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
        AND m.channel_pk = c.pk AND m.user_pk = u.pk AND ($5::bigint IS NULL OR $5 > ${databaseNow})
    ), wanted AS (
      SELECT channel_pk, user_pk,
        CASE WHEN $3::text IS NULL THEN notify ELSE NULLIF($3, 'all') END AS notify,
        CASE WHEN $4::boolean THEN $5 ELSE quiet_until END AS quiet_until,
        COALESCE($7::boolean, is_archived AND ($6::boolean OR $8::boolean) IS NOT TRUE) AS is_archived,
        CASE WHEN $6 AND NOT is_hidden THEN latest_at WHEN NOT $6 OR $7 OR $8 THEN NULL ELSE hidden_at END AS hidden_at,
        CASE WHEN $6 AND NOT is_hidden THEN nextval('messages_pk_seq') WHEN NOT $6 OR $7 OR $8 THEN NULL ELSE hidden_pk END AS hidden_pk,
        CASE WHEN $8 THEN COALESCE(pinned_at, $9::bigint) WHEN NOT $8 OR $6 OR $7 THEN NULL ELSE pinned_at END AS pinned_at
      FROM old
    ), changed AS (
      UPDATE members m SET notify = wanted.notify, quiet_until = wanted.quiet_until, is_archived = wanted.is_archived,
        hidden_at = wanted.hidden_at, hidden_pk = wanted.hidden_pk, pinned_at = wanted.pinned_at
      FROM wanted WHERE m.channel_pk = wanted.channel_pk AND m.user_pk = wanted.user_pk
        AND (m.notify, m.quiet_until, m.is_archived, m.hidden_at, m.hidden_pk, m.pinned_at)
          IS DISTINCT FROM (wanted.notify, wanted.quiet_until, wanted.is_archived, wanted.hidden_at, wanted.hidden_pk, wanted.pinned_at)
      RETURNING m.channel_pk, m.user_pk
    ), emitted AS (${emit("member.preferences", about, "changed")})
    SELECT true AS "isSet" FROM wanted`,
};
