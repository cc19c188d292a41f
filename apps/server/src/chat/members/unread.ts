import { limits } from "@madang/contract";
import { hasBlocked } from "../restrictions/conditions";

/** The time after which messages are unread for a row of `members`. */
export const readAt = (member: string) => `COALESCE(${member}.read_created_at, ${member}.joined_at)`;
const readPk = (member: string) => `COALESCE(${member}.read_pk, ${member}.position)`;

/** The position after which messages are unread for a row of `members`: its read mark, or the time of joining. */
export const readPosition = (member: string): string => `(${readAt(member)}, ${readPk(member)})`;

/** The number of unread messages for a row of `members`, up to the limit. */
export const countUnread = (member: string, hasBlocks?: string): string => `(SELECT count(*) FROM (
    ${selectUnread("", member, hasBlocks)} LIMIT ${limits.unreadCount}) AS unread)`;

/**
 * The unread messages for a row of `members`, oldest first: those of others whom the user has not blocked. `hasBlocks` is whether the
 * user has blocked anybody, in SQL, where many messages are counted.
 */
export const selectUnread = (
  columns: string,
  member: string,
  hasBlocks = "true",
) => `SELECT ${columns} FROM messages sent
    WHERE sent.channel_pk = ${member}.channel_pk AND sender_pk <> ${member}.user_pk
      AND (created_at, pk) > ${readPosition(member)} AND NOT (${hasBlocks} AND ${hasBlocked(`${member}.user_pk`, "sender_pk")})
    ORDER BY created_at, pk`;
