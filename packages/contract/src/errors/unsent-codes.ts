/**
 * Why a channel did not get a message: the codes with which `messages.send` rejects it. Reactions, files and signals of a user who may
 * not send are rejected with the same ones.
 */
export const unsentCodes = [
  "channel_not_found",
  "user_not_found",
  "channel_frozen",
  "not_a_participant",
  "member_muted",
  "user_banned",
  "user_suspended",
  "user_blocked",
] as const;
export type UnsentCode = (typeof unsentCodes)[number];

/** Why a channel did not get a message of `messages.sendMany`: the same, and the codes of slow mode, filters and hooks. */
export const unannouncedCodes = [
  ...unsentCodes,
  "slow_mode",
  "message_rejected",
  "check_unavailable",
] as const;
export type UnannouncedCode = (typeof unannouncedCodes)[number];

/**
 * With which of them a user may not change a message of its own either, with a token or a key of the user. For others, the channel does
 * not exist. `user_blocked` is also for keys of the application.
 */
export const unwrittenCodes = ["channel_frozen", "member_muted", "user_suspended", "user_blocked"] as const;
