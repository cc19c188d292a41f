import { databaseNow } from "../../db/statement";

/**
 * Whether a mute, a ban or a suspension is in force that ends at a time, in SQL. 0 is without end. It expires by the clock of
 * the database, in every process; null if there is no time.
 */
export const isInForce = (until: string) => `(${until} = 0 OR ${until} > ${databaseNow})`;

/** Whether the user of a row may send, join and react. Also true of the newest version of a row that is locked. */
export const isNotSuspended = (user: string) => `${isInForce(`${user}.suspended_until`)} IS NOT TRUE`;

/** Whether the user has a mute or a ban that is in force, for the user and the channel with these keys. */
export const hasRestriction = (table: "mutes" | "bans", channelPk: string, userPk: string) =>
  `EXISTS (SELECT FROM {${table}} r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk} AND ${isInForce("r.until")})`;

/** Until when the user `u` is muted in the channel `c`, 0 without end. Null if the user is not muted. */
export const mutedUntil = `(SELECT until FROM {mutes} r WHERE c.moderation_revision > 0 AND r.channel_pk = c.pk
  AND r.user_pk = u.pk AND ${isInForce("until")})`;

/**
 * Whether the user has no mute, or no ban, in a channel whose row is locked. A mute or ban that was committed while the
 * statement waited for the row is not in its snapshot: then the revision of the locked row is higher than the one in the
 * snapshot, and the statement has to run again. In a channel where nobody was ever muted or banned, it reads nothing.
 */
export const isFreeOf = (table: "mutes" | "bans", channel: string, userPk: string) =>
  `(${channel}.moderation_revision = 0 OR (NOT ${hasRestriction(table, `${channel}.pk`, userPk)} AND ${channel}.moderation_revision = (
    SELECT seen.moderation_revision FROM {channels} seen WHERE seen.pk = ${channel}.pk)))`;
