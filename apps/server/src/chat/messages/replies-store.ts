import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { rejectUnknownChannel } from "../channels/store";
import { existsFor } from "../channels/visibility";
import { keyOf, type MessageRef, rejectUnknownMessage } from "../message-id";
import { type MessageRow, messageSize, selectMessages } from "./store";

/** The replies to a message after a position, oldest first. */
export async function readReplies(
  db: Db,
  ref: MessageRef,
  after: Position,
  count: number,
  acting: ActingUser | undefined,
): Promise<readonly MessageRow[]> {
  const { channelId, messageId } = ref;
  const values = [...keyOf(ref), after.createdAt, after.pk, count, acting?.userPk ?? null];
  const rows = await db.query(list, values);
  const first = rows[0] ?? rejectUnknownChannel(channelId);
  if (!first.isParent) return rejectUnknownMessage(channelId, messageId);
  return itemsOf(rows, "messagePk");
}

interface Parent {
  /** Whether the message exists to which the replies belong. */
  readonly isParent: boolean;
}

const list: Statement<Joined<MessageRow, "messagePk", Parent>> = {
  name: "messages.replies",
  text: `SELECT parent.pk IS NOT NULL AS "isParent", reply.* FROM channels c
    LEFT JOIN messages parent ON parent.channel_pk = c.pk AND parent.created_at = $2 AND parent.pk = $3
    LEFT JOIN LATERAL (${selectMessages(
      `${readPage(
        `SELECT * FROM messages
      WHERE channel_pk = parent.channel_pk AND reply_to_created_at = parent.created_at AND reply_to_pk = parent.pk
        AND (created_at, pk) > ($4::bigint, $5::bigint)
      ORDER BY created_at, pk LIMIT $6`,
        "created_at, pk",
        messageSize,
      )} AS of_page`,
    )}) AS reply ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$7")} ORDER BY "sentAt", "messagePk"`,
};
