import { limits } from "@madang/contract";

/** The position after which messages are unread for a row of `members`: its read mark, or the time of joining. */
export const readPosition = (member: string): string =>
  `(COALESCE(${member}.read_created_at, ${member}.joined_at), COALESCE(${member}.read_pk, ${member}.position))`;

/** The number of unread messages for a row of `members`, up to the limit. */
export const countUnread = (member: string): string => `(SELECT count(*) FROM (
    SELECT FROM {messages} sent
    WHERE sent.channel_pk = ${member}.channel_pk AND sender_pk <> ${member}.user_pk
      AND (created_at, pk) > ${readPosition(member)}
    ORDER BY created_at, pk LIMIT ${limits.unreadCount}) AS unread)`;
