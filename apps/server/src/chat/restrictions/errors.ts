import { ServiceError } from "../../errors/service-error";

export const memberMuted = (userId: string, channelId: string) =>
  new ServiceError(
    "member_muted",
    `The user ${userId} is muted in the channel ${channelId}. Unmute the user first.`,
  );

export const memberNotFound = (userId: string, channelId: string) =>
  new ServiceError(
    "member_not_found",
    `The user ${userId} is not a participant of the channel ${channelId}.`,
  );

export const notAParticipant = (userId: string, channelId: string) =>
  new ServiceError(
    "not_a_participant",
    `The user ${userId} is not a participant of the channel ${channelId}.`,
  );

export const userBanned = (userId: string, channelId: string) =>
  new ServiceError(
    "user_banned",
    `The user ${userId} is banned from the channel ${channelId}. Remove the ban first.`,
  );

export const userSuspended = (userId: string) =>
  new ServiceError("user_suspended", `The user ${userId} is suspended. End the suspension first.`);

/** The same for both: it does not say who has blocked whom. */
export const userBlocked = (channelId: string) =>
  new ServiceError(
    "user_blocked",
    `In the channel ${channelId}, one of the two users has blocked the other.`,
  );
