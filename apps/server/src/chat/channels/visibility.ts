/** Whether the user has a role in the channel, in SQL. The arguments are internal keys. */
export const hasRole = (table: "members" | "managers", channelPk: string, userPk: string): string =>
  `EXISTS (SELECT FROM ${table} r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint)`;

/** Whether the user is a participant or manager of the channel. The UNION makes PostgreSQL look up each pair, also for several of them. */
export const hasAnyRole = (channelPk: string, userPk: string): string =>
  `EXISTS (SELECT FROM members r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint
    UNION ALL SELECT FROM managers r WHERE r.channel_pk = ${channelPk} AND r.user_pk = ${userPk}::bigint)`;

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
