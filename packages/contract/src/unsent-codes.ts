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
] as const;
export type UnsentCode = (typeof unsentCodes)[number];
