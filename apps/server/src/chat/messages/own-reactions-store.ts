import type { Db, Statement } from "../../db/db";
import { columnsOf } from "../../db/row";
import { rejectUnknownUser } from "../users/store";
import type { MessageRow } from "./store";

/** Whether a user has a reaction to a message, by the key of the message. */
export type IsOwn = (messagePk: number, reaction: string) => boolean;

/** Which of the reactions to messages of a channel a user has. Undefined without a user. */
export async function findOwnReactions(
  db: Db,
  channelId: string,
  userId: string | undefined,
  messages: readonly MessageRow[],
): Promise<IsOwn | undefined> {
  if (userId === undefined) return undefined;
  const reactions = messages.flatMap(({ sentAt, messagePk, extras }) =>
    (extras?.reactions ?? []).map(([reaction]) => ({ sentAt, messagePk, reaction })),
  );
  const rows = await db.query(findOwn, [
    channelId,
    userId,
    ...columnsOf(reactions, "sentAt", "messagePk", "reaction"),
  ]);
  if (rows.length === 0) return rejectUnknownUser(userId);
  const own = new Set(rows.map(({ messagePk, reaction }) => `${messagePk} ${reaction}`));
  return (messagePk, reaction) => own.has(`${messagePk} ${reaction}`);
}

/** No row: the user does not exist. One row without a reaction: the user has none. */
const findOwn: Statement<{ readonly messagePk: number | null; readonly reaction: string | null }> = {
  name: "reactions.find-own",
  text: `SELECT own.message_pk AS "messagePk", own.reaction FROM users u
    LEFT JOIN channels c ON c.channel_id = $1 AND c.deleted_at IS NULL
    LEFT JOIN LATERAL (
      SELECT r.message_pk, r.reaction FROM unnest($3::bigint[], $4::bigint[], $5::text[]) AS shown (at, pk, reaction)
      JOIN reactions r ON r.channel_pk = c.pk AND r.message_created_at = shown.at AND r.message_pk = shown.pk
        AND r.reaction = shown.reaction AND r.user_pk = u.pk) AS own ON true
    WHERE u.user_id = $2 AND u.deleted_at IS NULL`,
};
