import { ServiceError } from "../../errors";
import { hasEntry } from "../channels/store";
import { hasRestriction, isNotSuspended } from "../moderation/conditions";
import { memberMuted, userBanned, userSuspended } from "../moderation/errors";

/** The reasons for which a user cannot send to a channel or react in it. */
export interface Obstacles {
  readonly isSuspended: boolean;
  readonly isBanned: boolean;
  readonly isMuted: boolean;
  readonly isMember: boolean;
  readonly isManager: boolean;
  readonly isFrozen: boolean;
}

/** The columns of a lookup of a channel `c` and a user `u`. */
export const obstacles = `NOT (${isNotSuspended("u")}) AS "isSuspended", ${hasRestriction("bans", "c.pk", "u.pk")} AS "isBanned",
  ${hasRestriction("mutes", "c.pk", "u.pk")} AS "isMuted", ${hasEntry("members")} AS "isMember", ${hasEntry("managers")} AS "isManager", c.is_frozen AS "isFrozen"`;

/** Whether the role of the user permits sending: a manager always may, a participant unless the channel is frozen. */
export const hasRole = (channel: string, userPk: string) => `(
  (NOT ${channel}.is_frozen AND EXISTS (SELECT FROM {members} m WHERE m.channel_pk = ${channel}.pk AND m.user_pk = ${userPk}))
  OR EXISTS (SELECT FROM {managers} m WHERE m.channel_pk = ${channel}.pk AND m.user_pk = ${userPk}))`;

/** The code of the reason why the user may not send or react. Undefined if there is none. */
export function findObstacle(found: Obstacles): Obstacle | undefined {
  const { isSuspended, isBanned, isMuted, isMember, isManager, isFrozen } = found;
  if (isSuspended) return "user_suspended";
  if (isBanned) return "user_banned";
  if (!isMember && !isManager) return "not_a_participant";
  if (isMuted) return "member_muted";
  if (isFrozen && !isManager) return "channel_frozen";
  return undefined;
}

/** Throws the reason why the user may not send or react. Returns if there is none. */
export function requireMaySend(found: Obstacles, channelId: string, userId: string): void {
  const obstacle = findObstacle(found);
  if (obstacle !== undefined) throw rejections[obstacle](userId, channelId);
}

const rejections = {
  user_suspended: userSuspended,
  user_banned: userBanned,
  not_a_participant: (userId: string, channelId: string) =>
    new ServiceError(
      "not_a_participant",
      `The user ${userId} is not a participant or manager of the channel ${channelId}. Add the user to the channel first.`,
    ),
  member_muted: memberMuted,
  channel_frozen: (_: string, channelId: string) =>
    new ServiceError(
      "channel_frozen",
      `The channel ${channelId} is frozen. Only its managers can send messages.`,
    ),
};

type Obstacle = keyof typeof rejections;
