import { databaseNow } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { hasRole } from "./visibility";

/**
 * When a user may send to a channel in slow mode again, in SQL, for rows of `channels` and `users`, by the clock of the database. Null:
 * the user has sent nothing since slow mode began.
 */
const nextSendAt = (channel: string, user: string) => `(
  SELECT s.sent_at + 1000 * ${channel}.slow_mode_seconds::bigint FROM slow_mode_sends s
  WHERE s.channel_pk = ${channel}.pk AND s.user_pk = ${user}.pk AND s.sent_at >= ${channel}.slow_mode_since)`;

const isManager = (channel: string, user: string) => hasRole("managers", `${channel}.pk`, `${user}.pk`);

/**
 * Whether slow mode lets a user send to a channel, in SQL. Without slow mode, nothing is looked up. Of several messages of the user at
 * once, only the one with `isFirst` may be sent, except by managers.
 */
export const isNotTooFast = (channel: string, user: string, isFirst: string) =>
  `(${channel}.slow_mode_seconds IS NULL OR ${isManager(channel, user)}
    OR (${isFirst} AND COALESCE(${nextSendAt(channel, user)} <= ${databaseNow}, true)))`;

/** For how many milliseconds it does not, in SQL. Null or less than 1: it does. */
export const slowModeWait = (channel: string, user: string) =>
  `CASE WHEN ${channel}.slow_mode_seconds IS NOT NULL AND NOT ${isManager(channel, user)} THEN ${nextSendAt(channel, user)} - ${databaseNow} END`;

export const tooFast = (userId: string, channelId: string, waitMs: number) => {
  const seconds = Math.ceil(waitMs / 1_000);
  return new ServiceError(
    "slow_mode",
    `The channel ${channelId} is in slow mode: the user ${userId} may send again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds: seconds },
  );
};
