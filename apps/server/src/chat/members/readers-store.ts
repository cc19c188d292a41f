import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import type { ActingUser } from "../../security/acting-user";
import { memberCountOf, rejectUnknownChannel } from "../channels/store";
import { existsFor } from "../channels/visibility";
import { keyOf, type MessageRef, rejectUnknownMessage } from "../message-id";
import { mutedUntil } from "../restrictions/conditions";
import { userColumnsOf } from "../users/store";
import type { MembershipRow, ReadMark } from "./store";

interface MessageReaders {
  /** In the order of the list of participants. */
  readonly readers: readonly ReaderRow[];
  readonly memberCount: number;
}

/** The participants other than the sender whose read mark is at the message or later. */
export async function listReaders(
  db: Db,
  ref: MessageRef,
  acting: ActingUser | undefined,
): Promise<MessageReaders> {
  const values = [...keyOf(ref), acting?.userPk ?? null];
  const rows = await db.query(list, values);
  const first = rows[0] ?? rejectUnknownChannel(ref.channelId);
  if (first.messagePk === null) return rejectUnknownMessage(ref.channelId, ref.messageId);
  return { readers: itemsOf(rows, "userId"), memberCount: first.memberCount };
}

interface ReaderRow extends MembershipRow, ReadMark {}

interface Message {
  /** Null if the message does not exist. */
  readonly messagePk: number | null;
  readonly memberCount: number;
}

const list: Statement<Joined<ReaderRow, "userId", Message>> = {
  name: "readers.list",
  text: `SELECT m.pk AS "messagePk", ${memberCountOf("c")} AS "memberCount", entry.* FROM channels c
    LEFT JOIN messages m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
    LEFT JOIN LATERAL (
      SELECT e.joined_at AS "joinedAt", e.position, e.read_created_at AS "readAt", e.read_pk AS "readPk", ${mutedUntil} AS "mutedUntil", ${userColumnsOf("u.")} FROM members e
      JOIN users u ON u.pk = e.user_pk AND u.deleted_at IS NULL
      WHERE e.channel_pk = m.channel_pk AND e.user_pk IS DISTINCT FROM m.sender_pk
        AND (e.read_created_at, e.read_pk) >= (m.created_at, m.pk)
    ) AS entry ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$4")} ORDER BY entry."joinedAt", entry.position`,
};
