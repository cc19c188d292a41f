import { type CallOptions, type ChatClient, isChatError } from "@madang/client";
import type { Row } from "../../data/tables/column";
import type { Kind } from "../../data/tables/tables";
import { explained } from "./rejection";
import { takeBack } from "./take-back";

type Rows = (kind: Kind) => AsyncIterable<{ readonly row: Row; readonly location: string }>;

/**
 * Suspends users, mutes participants, bans users, freezes channels and sets their retention as the files say. It comes after the
 * memberships, because a suspended user cannot join, and before the messages, so that a hold covers them.
 */
export async function restoreRestrictions(chat: ChatClient, rows: Rows, options: CallOptions): Promise<void> {
  for await (const { row, location } of rows("users")) {
    const end = findEnd(row.suspended_until);
    if (end !== undefined) await explained(chat.users.suspend(String(row.user_id), end, options), location);
  }
  for await (const { row, location } of rows("members")) {
    const end = findEnd(row.muted_until);
    const [channelId, userId] = [String(row.channel_id), String(row.user_id)];
    if (end === undefined) continue;
    const muting = chat.channels.members.mute(channelId, userId, end.until, options);
    // Who was banned or suspended since did not join again.
    await explained(muting.catch(unlessNotAMember), location);
  }
  for await (const { row, location } of rows("bans")) {
    const { channel_id, user_id, ...ban } = takeBack("bans", row).taken;
    const banning = () => chat.channels.bans.add(String(channel_id), String(user_id), ban, options);
    if (isBanInForce(row)) await explained(banning(), location);
  }
  for await (const { row, location } of rows("channels")) {
    const channelId = String(row.channel_id);
    if (row.freeze === true) await explained(chat.channels.freeze(channelId, true, options), location);
    if (row.retention === undefined) continue;
    const { days = null, hold } = Object(row.retention);
    await explained(chat.channels.setRetention(channelId, { days, hold }, options), location);
  }
}

function unlessNotAMember(error: unknown): void {
  if (!isChatError(error) || error.code !== "member_not_found") throw error;
}

/** A ban without `until` is without end. */
export const isBanInForce = ({ until = 0 }: Row): boolean => isInForce(until);

/** The `until` of a request; 0 of a file is without end. Undefined: nothing is in force. */
function findEnd(until: unknown): { readonly until?: number } | undefined {
  if (!isInForce(until)) return undefined;
  return until === 0 ? {} : { until: Number(until) };
}

/** Whether a restriction of a row has not ended. */
export const isInForce = (until: unknown): boolean => until === 0 || Number(until) > Date.now();
