import { limits } from "@madang/contract";
import { lockChannels } from "../../chat/channels/lock-store";
import { checkOfRight } from "../../chat/channels/rights-store";
import { rejectUnknownChannel } from "../../chat/channels/store";
import { existsFor } from "../../chat/channels/visibility";
import { keyOf, type MessageRef } from "../../chat/message-id";
import { emitChange, type OfSender } from "../../chat/messages/erase-store";
import { type MessageRow, messageSize, requireMessage, selectMessages } from "../../chat/messages/store";
import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import { readPage } from "../../paging/page-bytes";
import type { ActingUser } from "../../security/acting-user";
import { defineCommand } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";

/** Pins a message. Changes nothing if it is pinned already. */
export function pinMessage(writer: Writer, ref: MessageRef, now: number): Promise<void> {
  return change(writer, ref, pin, now, async (db) => {
    const [{ isFull } = { isFull: false }] = await db.query(findLimit, [ref.channelId]);
    if (isFull)
      throw new ServiceError(
        "pin_limit_exceeded",
        `The channel ${ref.channelId} already has ${limits.pinsPerChannel} pinned messages, the maximum. Unpin one first.`,
      );
  });
}

/** Unpins a message. Changes nothing if it is not pinned. */
export function unpinMessage(writer: Writer, ref: MessageRef): Promise<void> {
  return change(writer, ref, unpin, 0, async () => undefined);
}

/**
 * The messages of a channel that were pinned before a time, the newest pin first: as many as a page can have, and one more. No two
 * pins of a channel have the same time.
 */
export async function listPins(db: Db, channelId: string, before: number, acting: ActingUser | undefined) {
  const rows = await db.query(list, [channelId, before, acting?.userPk ?? null]);
  const first = rows[0] ?? rejectUnknownChannel(channelId);
  return { channelPk: first.channelPk, messages: itemsOf(rows, "messagePk") };
}

/** Locks the channel first, so that the statement sees and counts all committed pins. */
async function change(
  writer: Writer,
  ref: MessageRef,
  command: typeof pin,
  now: number,
  explain: (db: Db) => Promise<void>,
): Promise<void> {
  const [channelId, messageAt, messagePk] = keyOf(ref);
  const row = { channel_id: channelId, message_at: messageAt, message_pk: messagePk, now };
  await writeOrExplain(
    () => writer.write(command, row, checkOfRight(writer, ref)),
    async () => {
      await requireMessage(writer.db, ref, writer.request.acting);
      await explain(writer.db);
      return undefined;
    },
  );
}

const pinsOf = (channelPk: string) =>
  `messages p WHERE p.channel_pk = ${channelPk} AND p.pinned_at IS NOT NULL`;
const isBelowLimit = (channelPk: string) =>
  `(SELECT count(*) FROM ${pinsOf(channelPk)}) < ${limits.pinsPerChannel}`;

const columns = { channel_id: "text", message_at: "bigint", message_pk: "bigint", now: "bigint" };
const options = {
  subject: { userPk: "senderPk" },
  lock: { statement: lockChannels, columns: ["channel_id"] },
  // One pin of a channel at a time counts those before it.
  sharing: { group: ["channel_id"] },
} as const;

const target = `target AS (
      SELECT ordinal, sent.channel_id, now, m.* FROM sent
      JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
      JOIN messages m ON m.channel_pk = c.pk AND m.created_at = message_at AND m.pk = message_pk
    )`;
const isTarget = "m.channel_pk = target.channel_pk AND m.created_at = target.created_at AND m.pk = target.pk";

// Later than all earlier pins, even if the clock was set back.
const pin = defineCommand<OfSender, keyof typeof columns>(
  "pins.pin",
  columns,
  `${target}, pinned AS (
      UPDATE messages m SET pinned_at = GREATEST(now, (
        SELECT max(p.pinned_at) + 1 FROM ${pinsOf("target.channel_pk")}))
      FROM target WHERE ${isTarget} AND target.pinned_at IS NULL AND ${isBelowLimit("target.channel_pk")}
      RETURNING ordinal, channel_id, m.*
    ), emitted AS (${emitChange("message.pinned", "pinned", "channel_id")}), effect AS (
      SELECT ordinal, sender_pk AS "senderPk" FROM target
      WHERE pinned_at IS NOT NULL OR ordinal IN (SELECT ordinal FROM pinned)
    )`,
  options,
);

const unpin = defineCommand<OfSender, keyof typeof columns>(
  "pins.unpin",
  columns,
  `${target}, unpinned AS (
      UPDATE messages m SET pinned_at = NULL FROM target WHERE ${isTarget} AND target.pinned_at IS NOT NULL
      RETURNING channel_id, m.*
    ), emitted AS (${emitChange("message.unpinned", "unpinned", "channel_id")}), effect AS (
      SELECT ordinal, sender_pk AS "senderPk" FROM target
    )`,
  options,
);

const findLimit: Statement<{ readonly isFull: boolean }> = {
  name: "pins.find-limit",
  text: `SELECT NOT ${isBelowLimit("c.pk")} AS "isFull" FROM channels c WHERE channel_id = $1 AND deleted_at IS NULL`,
};

const list: Statement<Joined<MessageRow, "messagePk", { readonly channelPk: number }>> = {
  name: "pins.list",
  text: `SELECT c.pk AS "channelPk", found.* FROM channels c
    LEFT JOIN LATERAL (${selectMessages(
      `${readPage(`SELECT p.* FROM ${pinsOf("c.pk")} AND p.pinned_at < $2`, "pinned_at DESC", messageSize)} AS of_page`,
    )}) AS found ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$3")}
    ORDER BY (found.extras->>'pinnedAt')::bigint DESC`,
};
