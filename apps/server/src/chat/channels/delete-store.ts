import type { Db, Statement, Tx } from "../../db/db";
import { defineCommand } from "../../write/command";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import { lockChannelsFully } from "./lock-store";
import { rejectUnknownChannel } from "./store";

/** Removes the channel from every list and lookup. The sweeper removes its rows in small steps. */
export async function deleteChannel(writer: Writer, channelId: string, now: number): Promise<void> {
  const [deleted] = await writer.write(markDeleted, { channel_id: channelId, now });
  if (deleted === undefined) rejectUnknownChannel(channelId);
}

/** Removes what modules store about a deleted channel. */
export type RemoveChannel = (db: Db, channelPk: number) => Promise<void>;

// Of the longest messages, 2,000 take longer than a statement may.
const messagesPerStep = 250;

/**
 * Removes some rows of a deleted channel, and returns whether more may remain. Several processes share the work: each
 * skips the channels that another one has locked.
 */
export async function sweepDeletedChannels(db: Db, removeFromModules: RemoveChannel): Promise<boolean> {
  let isMore = false;
  for (const schema of db.schemas()) {
    const { channelPk, isEmpty } = await schema.transaction(removeSome);
    if (channelPk === undefined) continue;
    isMore = true;
    if (!isEmpty) continue;
    // That is on the coordinator. If the step fails after this, it runs again.
    await removeFromModules(db, channelPk);
    await schema.query(removeChannel, [channelPk]);
  }
  return isMore;
}

async function removeSome(tx: Tx): Promise<{ channelPk?: number; isEmpty?: boolean }> {
  const [channel] = await tx.query(findDeleted);
  if (channel === undefined) return {};
  const removed = await tx.query(removeMessages, [channel.pk, messagesPerStep]);
  return { channelPk: channel.pk, isEmpty: removed.length === 0 };
}

const findDeleted: Statement<{ pk: number }> = {
  name: "sweep.find-deleted",
  text: `SELECT pk FROM channels WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
};

const removeMessages: Statement<unknown> = {
  name: "sweep.remove-messages",
  text: `DELETE FROM messages WHERE channel_pk = $1 AND (created_at, pk) IN (
      SELECT created_at, pk FROM messages WHERE channel_pk = $1 ORDER BY created_at, pk LIMIT $2)
    RETURNING 1`,
};

// Cascades to memberships, manager roles, mutes, bans and the search index.
const removeChannel: Statement<unknown> = {
  name: "sweep.remove-channel",
  text: "DELETE FROM channels WHERE pk = $1",
};

/** Whom the event of the deletion concerns: afterwards, the roles are removed. */
const lastMembers = `(SELECT jsonb_build_object('members', jsonb_agg(user_pk)) FROM (
        SELECT user_pk FROM members WHERE channel_pk = deleted.pk
        UNION SELECT user_pk FROM managers WHERE channel_pk = deleted.pk) AS last)`;

// The full lock waits for reactions too: no event of the channel comes after its deletion.
const markDeleted = defineCommand<{ pk: number }, "channel_id" | "now">(
  "channels.mark-deleted",
  { channel_id: "text", now: "bigint" },
  `deleted AS (
      UPDATE channels c SET deleted_at = now FROM sent
      WHERE c.channel_id = sent.channel_id AND c.deleted_at IS NULL RETURNING ordinal, pk, c.channel_id
    ), emitted AS (${emit("channel.deleted", { channelPk: "pk", channelId: "channel_id", detail: lastMembers }, "deleted")}),
    effect AS (SELECT ordinal, pk FROM deleted)`,
  { lock: { statement: lockChannelsFully, columns: ["channel_id"] }, sharing: { group: ["channel_id"] } },
);
