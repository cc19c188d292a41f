import { ServiceError } from "../../errors/service-error";
import { hasRestriction, isNotSuspended, isPairBlocked } from "../restrictions/conditions";
import { memberMuted, userBanned, userBlocked, userSuspended } from "../restrictions/errors";
import { hasRole } from "./visibility";

/**
 * Whether a user may send to a channel or react in it, in SQL, for rows of `channels` and `users`: a manager, or a participant of a
 * channel that is not frozen, who is neither muted nor suspended, in a one-to-one channel without a block. A ban has ended every role. In a channel without any mute, ban and
 * leave so far, the revision is 0 and no mute is looked up.
 */
export const maySend = (channel: string, user: string) => {
  const pks = [`${channel}.pk`, `${user}.pk`] as const;
  return `(${isNotSuspended(user)}
  AND (${channel}.moderation_revision = 0 OR NOT ${hasRestriction("mutes", ...pks)})
  AND NOT ${isPairBlocked(channel)}
  AND ((NOT ${channel}.is_frozen AND ${hasRole("members", ...pks)}) OR ${hasRole("managers", ...pks)}))`;
};

/** What `maySend` depends on, at one moment. */
export interface SendingRights {
  readonly isSuspended: boolean;
  readonly isBanned: boolean;
  readonly isMuted: boolean;
  readonly isMember: boolean;
  readonly isManager: boolean;
  readonly isFrozen: boolean;
  /** Whether one of the two users of a one-to-one channel has blocked the other. */
  readonly isBlocked: boolean;
}

/** The same as columns, in SQL. */
export const selectSendingRights = (channel: string, user: string) => {
  const pks = [`${channel}.pk`, `${user}.pk`] as const;
  return `NOT (${isNotSuspended(user)}) AS "isSuspended", ${hasRestriction("bans", ...pks)} AS "isBanned",
        ${hasRestriction("mutes", ...pks)} AS "isMuted", ${hasRole("members", ...pks)} AS "isMember",
        ${hasRole("managers", ...pks)} AS "isManager", ${channel}.is_frozen AS "isFrozen",
        ${isPairBlocked(channel)} AS "isBlocked"`;
};

/** The code of the reason why the user may not send or react. Undefined if there is none. */
export function findObstacle(found: SendingRights): Obstacle | undefined {
  const { isSuspended, isBanned, isMuted, isMember, isManager, isFrozen, isBlocked } = found;
  if (isSuspended) return "user_suspended";
  if (isBanned) return "user_banned";
  if (!isMember && !isManager) return "not_a_participant";
  if (isMuted) return "member_muted";
  if (isFrozen && !isManager) return "channel_frozen";
  if (isBlocked) return "user_blocked";
  return undefined;
}

/** Throws the reason why the user may not send or react. Returns if there is none. */
export function requireMaySend(found: SendingRights & { readonly channelId: string }, userId: string): void {
  const obstacle = findObstacle(found);
  if (obstacle !== undefined) throw rejections[obstacle](userId, found.channelId);
}

export const channelFrozen = (channelId: string) =>
  new ServiceError(
    "channel_frozen",
    `The channel ${channelId} is frozen. Only its managers can send, edit and delete messages.`,
  );

const rejections = {
  user_suspended: userSuspended,
  user_banned: userBanned,
  not_a_participant: (userId: string, channelId: string) =>
    new ServiceError(
      "not_a_participant",
      `The user ${userId} is not a participant or manager of the channel ${channelId}. Add the user to the channel first.`,
    ),
  member_muted: memberMuted,
  channel_frozen: (_: string, channelId: string) => channelFrozen(channelId),
  user_blocked: (_: string, channelId: string) => userBlocked(channelId),
};

type Obstacle = keyof typeof rejections;
