/** Whether the user has a role in the channel, in SQL. The arguments are internal keys. */
export const hasRole = (table: "members" | "managers", channelPk: string, userPk: string): string =>
  `EXISTS (SELECT FROM ${table} r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint)`;

/** Whether the user is a participant or manager of the channel. The UNION makes PostgreSQL look up each pair, also for several of them. */
export const hasAnyRole = (channelPk: string, userPk: string): string =>
  `EXISTS (SELECT FROM members r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint
    UNION ALL SELECT FROM managers r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint)`;

/**
 * Whether the users of the channel know a user, in SQL: one with a role, a mute or a ban there, or who sent one of its latest messages
 * there. The arguments are internal keys.
 */
export const isKnownIn = (channelPk: string, userPk: string): string =>
  `(${hasAnyRole(channelPk, userPk)}
    OR EXISTS (SELECT FROM mutes r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk})
    OR EXISTS (SELECT FROM bans r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk} AND r.was_known)
    OR EXISTS (SELECT FROM (
        SELECT channel_pk FROM messages WHERE sender_pk = ${userPk} ORDER BY created_at DESC, pk DESC LIMIT ${latestMessages}
      ) AS latest WHERE latest.channel_pk = ${channelPk}))`;

/** How many messages of a user are looked at: it may have sent very many elsewhere. */
const latestMessages = 1_000;

/**
 * Whether the channel exists for the user, in SQL: it does for its participants and managers. Null is a request that acts as no user: for
 * it, every channel exists.
 */
export const existsFor = (channelPk: string, userPk: string): string =>
  `(${userPk}::bigint IS NULL OR ${hasAnyRole(channelPk, userPk)})`;

/**
 * Whether a deleted user with the id still has a role in the channel, in SQL. It must end before another user with this id gets one:
 * otherwise, a client that follows the events by user id would take the later end for that of the new user.
 */
export const hasFormerRole = (channelPk: string, userId: string): string =>
  `EXISTS (SELECT FROM users former WHERE former.user_id = ${userId} AND former.deleted_at IS NOT NULL
    AND former.needs_sweep AND ${hasAnyRole(channelPk, "former.pk")})`;
