import { limits } from "@madang/contract";
import type { Queryable, Reader, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { ChangeOfSender } from "../../write/entries-store";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { rejectUnknownChannel } from "../channels/store";
import { emitChange, type OfSender, selectSender } from "./erase-store";
import { keyOf, type MessageKey } from "./message-id";
import { type MessageRow, requireMessage, selectMessages } from "./store";

/** Pins a message. Changes nothing if it is pinned already. */
export function pinMessage(writer: Writer, name: MessageKey, now: number): Promise<void> {
  return withLock(writer, name, pin, [now], async (tx) => {
    const [{ isFull } = { isFull: false }] = await tx.query(findLimit, [name.channelId]);
    if (isFull)
      throw new ServiceError(
        "pin_limit_exceeded",
        `The channel ${name.channelId} already has ${limits.pinsPerChannel} pinned messages, the maximum. Unpin one first.`,
      );
  });
}

/** Unpins a message. Changes nothing if it is not pinned. */
export function unpinMessage(writer: Writer, name: MessageKey): Promise<void> {
  return withLock(writer, name, unpin, [], async () => undefined);
}

/** The pinned messages of a channel, the newest pin first. */
export async function listPins(db: Reader, channelId: string): Promise<MessageRow[]> {
  const rows = await db.channel(channelId).query(list, [channelId]);
  if (rows.length === 0) return rejectUnknownChannel(channelId);
  return rows.filter((row): row is MessageRow => row.messagePk !== null);
}

/** Locks the channel in a separate statement, so that the next statement sees and counts all committed pins. */
async function withLock(
  writer: Writer,
  name: MessageKey,
  statement: ChangeOfSender<OfSender>,
  values: readonly unknown[],
  explain: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await writer.channel(name.channelId).writeAll(async (tx) => {
    await tx.query(lockChannel, [name.channelId]);
    const changed = await writeOrExplain(
      () => tx.query(statement, [...keyOf(name), ...values]),
      async () => {
        await requireMessage(tx, name);
        await explain(tx);
        return undefined;
      },
    );
    return [changed];
  }, statement.subject);
}

const lockChannel: Statement<unknown> = {
  name: "pins.lock",
  text: "SELECT pk FROM {channels} WHERE channel_id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE",
};

const pinsOf = (channelPk: string) =>
  `{messages} p WHERE p.channel_pk = ${channelPk} AND p.pinned_at IS NOT NULL`;
const isBelowLimit = (channelPk: string) =>
  `(SELECT count(*) FROM ${pinsOf(channelPk)}) < ${limits.pinsPerChannel}`;

// Reactions change the row of the message without the lock of the channel, so it is locked too.
const target = `target AS (
      SELECT m.* FROM {channels} c JOIN {messages} m ON m.channel_pk = c.pk AND m.created_at = $2 AND m.pk = $3
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF m
    )`;
const isTarget = "m.channel_pk = target.channel_pk AND m.created_at = target.created_at AND m.pk = target.pk";

// Later than all earlier pins, even if the clock was set back.
const pin: ChangeOfSender<OfSender> = {
  name: "pins.pin",
  subject: { userPk: "senderPk" },
  text: `WITH ${target}, pinned AS (
      UPDATE {messages} m SET pinned_at = GREATEST($4::bigint, (
        SELECT max(p.pinned_at) + 1 FROM ${pinsOf("target.channel_pk")}))
      FROM target WHERE ${isTarget} AND target.pinned_at IS NULL AND ${isBelowLimit("target.channel_pk")}
      RETURNING m.*
    ), emitted AS (${emitChange("message.pinned", "pinned")})
    ${selectSender("target")} WHERE pinned_at IS NOT NULL OR EXISTS (SELECT FROM pinned)`,
};

const unpin: ChangeOfSender<OfSender> = {
  name: "pins.unpin",
  subject: { userPk: "senderPk" },
  text: `WITH ${target}, unpinned AS (
      UPDATE {messages} m SET pinned_at = NULL FROM target WHERE ${isTarget} AND target.pinned_at IS NOT NULL
      RETURNING m.*
    ), emitted AS (${emitChange("message.unpinned", "unpinned")})
    ${selectSender("target")}`,
};

const findLimit: Statement<{ readonly isFull: boolean }> = {
  name: "pins.find-limit",
  text: `SELECT NOT ${isBelowLimit("c.pk")} AS "isFull" FROM {channels} c WHERE channel_id = $1 AND deleted_at IS NULL`,
};

/** No row: the channel does not exist. One row without a message: it has no pins. */
const list: Statement<MessageRow | { readonly messagePk: null }> = {
  name: "pins.list",
  text: `SELECT found.* FROM {channels} c
    LEFT JOIN LATERAL (${selectMessages(`${pinsOf("c.pk")} ORDER BY p.pinned_at DESC`)}) AS found ON true
    WHERE c.channel_id = $1 AND c.deleted_at IS NULL ORDER BY (found.extras->>'pinnedAt')::bigint DESC`,
};
