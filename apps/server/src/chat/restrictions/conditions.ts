import { databaseNow } from "../../db/db";

/*
 * The revision of a channel. A statement that waits for the row of a channel decides by what it read before. So everything that can take
 * a right away raises `channels.moderation_revision`, and a write that finds another revision than it read takes no effect and runs again.
 *
 * | raised by              | in                                                            |
 * | ---------------------- | ------------------------------------------------------------- |
 * | a mute, a ban          | modules/moderation/store                                      |
 * | the end of a role      | chat/members/store, chat/channels/end-roles-store             |
 * | a freeze               | chat/channels/store                                           |
 * | a block, in a pair     | modules/blocks/store                                          |
 * | a deletion of messages | chat/messages/erase-store                                     |
 *
 * Sends and appends compare it themselves; joins and reactions use the conditions below. Additions of many lock the channel first.
 */

/**
 * Whether a mute, ban or suspension with this end is in force, in SQL, by the clock of the database. 0 is permanent.
 * False if `until` is null, as for most users, for whom the clock is then not computed.
 */
export const isInForce = (until: string) =>
  `(${until} IS NOT NULL AND (${until} = 0 OR ${until} > ${databaseNow}))`;

/** Whether the user of a row is not suspended, in SQL. Can be evaluated again on a row that was locked meanwhile. */
export const isNotSuspended = (user: string) => `NOT ${isInForce(`${user}.suspended_until`)}`;

/**
 * Whether the user has a mute or a ban in force in the channel, in SQL. The arguments are internal keys. OFFSET makes PostgreSQL
 * look up each pair: for several, it would otherwise read the whole table.
 */
export const hasRestriction = (table: "mutes" | "bans", channelPk: string, userPk: string) =>
  `EXISTS (SELECT FROM ${table} r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk} AND ${isInForce("r.until")} OFFSET 0)`;

/** The end of the mute of the user `u` in the channel `c`, in SQL. 0: permanent. Null: not muted. */
export const mutedUntil = `(SELECT until FROM mutes r WHERE c.moderation_revision > 0 AND r.channel_pk = c.pk
  AND r.user_pk = u.pk AND ${isInForce("until")})`;

/**
 * Whether nothing was restricted in a channel, whose row is locked, since the snapshot. While a statement waits for the lock, others
 * may mute or ban a user, or end the membership that its snapshot still shows. Each of these raises the revision: if that of the
 * locked row is higher than in the snapshot, the statement has to run again.
 */
export const isUnchanged = (channel: string) =>
  `${channel}.moderation_revision = (SELECT seen.moderation_revision FROM channels seen WHERE seen.pk = ${channel}.pk)`;

/**
 * The same, and whether the user has no ban there. In a channel without any mute, ban and leave so far, the revision is 0 and the
 * condition reads no further row.
 */
export const isStillNotBanned = (channel: string, userPk: string) =>
  `(${channel}.moderation_revision = 0 OR (NOT ${hasRestriction("bans", `${channel}.pk`, userPk)} AND ${isUnchanged(channel)}))`;

/**
 * Whether a user has blocked another one, in SQL. The arguments are internal keys. OFFSET makes PostgreSQL look up each pair: it would
 * otherwise read the whole table.
 */
export const hasBlocked = (userPk: string, otherPk: string) =>
  `EXISTS (SELECT FROM blocks b WHERE b.user_pk = ${userPk} AND b.blocked_pk = ${otherPk} OFFSET 0)`;

/**
 * Whether one of the two users of a one-to-one channel has blocked the other, in SQL: only these two were ever participants, and it has no
 * managers. Other channels look up no block.
 */
export const isPairBlocked = (channel: string) => {
  const [first, second] = [`${channel}.first_participant_pk`, `${channel}.second_participant_pk`] as const;
  return `(${channel}.is_pair_only AND ${second} IS NOT NULL
    AND (${hasBlocked(first, second)} OR ${hasBlocked(second, first)}))`;
};

/** The participants and managers of a channel who have blocked a user, as an array in SQL. */
export const blockersIn = (channelPk: string, userPk: string) =>
  `CASE WHEN EXISTS (SELECT FROM blocks b WHERE b.blocked_pk = ${userPk}) THEN ARRAY(
    SELECT r.user_pk FROM (
      SELECT user_pk FROM members WHERE channel_pk = ${channelPk}
      UNION ALL SELECT user_pk FROM managers WHERE channel_pk = ${channelPk}) AS r
    WHERE ${hasBlocked("r.user_pk", userPk)}) ELSE '{}' END`;
