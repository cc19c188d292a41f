import { type Db, defineLock, readSchemas, type Statement, type Tx } from "../../db/db";
import { defineCommand } from "../../write/command";
import { openWriter, type Writer } from "../../write/writer";
import { userColumns } from "../users/store";
import { type CreatedChannel, createChannel, createdChannel, type NewChannel } from "./create-store";
import { isPairOf } from "./pair";
import { channelColumns } from "./store";

/**
 * Returns the newest channel that never had other participants than these two, and never a manager; or creates one.
 * Concurrent calls for the same pair, in all processes, wait for each other, so that they end with one channel.
 */
export async function reuseOrCreateChannel(
  writer: Writer,
  channel: NewChannel,
  now: number,
): Promise<CreatedChannel> {
  const { members } = channel;
  const { db } = writer;
  if (db.isDistributed) {
    // The channel may be in another schema than a new one, so the coordinator has the key.
    const existing = await findInSchemas(db, members);
    const [found] = await writer.writeAll(
      async (tx) => [existing ?? (await createLocked(tx, channel, now))],
      createdChannel,
    );
    return found;
  }
  const [existing] = await writer.write(findPair, { member_ids: JSON.stringify(members) });
  if (existing !== undefined) return existing;
  const [found] = await writer.writeAll(async (tx) => [await createLocked(tx, channel, now)], createdChannel);
  return found;
}

/** Locks the pair. A new channel is committed before the lock ends: the next request with this pair finds it. */
async function createLocked(tx: Tx, channel: NewChannel, now: number): Promise<CreatedChannel> {
  await tx.query(lockPair, [nameOf(channel)]);
  return createChannel(openWriter(tx), channel, now, () => findInSchemas(tx, channel.members));
}

/** The newest channel of the pair in all schemas, each of which has at most one. */
async function findInSchemas(db: Db, members: readonly string[]): Promise<CreatedChannel | undefined> {
  const found = (await readSchemas(db, readPair, [JSON.stringify(members)])).flat();
  return found.sort((one, other) => other.createdAt - one.createdAt || other.pk - one.pk)[0];
}

const nameOf = ({ members }: NewChannel) => [...members].sort().join(" ");

/** Selects the channel of the pair whose ids are in an array, as JSON. Each order of the two is one index lookup. */
const pairOf = (members: string) => `
  WITH a AS (SELECT pk FROM users WHERE user_id = ${members}->>0 AND deleted_at IS NULL),
    b AS (SELECT pk FROM users WHERE user_id = ${members}->>1 AND deleted_at IS NULL)
  SELECT pk, ${channelColumns}, (
      SELECT json_agg(person ORDER BY joined_at, position) FROM members
      CROSS JOIN LATERAL (SELECT ${userColumns} FROM users u WHERE u.pk = user_pk) AS person
      WHERE channel_pk = channel.pk) AS "members"
  FROM (SELECT a.pk AS first_pk, b.pk AS second_pk FROM a, b UNION ALL SELECT b.pk, a.pk FROM a, b) AS pair
  CROSS JOIN LATERAL (
    SELECT * FROM channels
    WHERE deleted_at IS NULL AND member_count = 2 AND ${isPairOf("pair.first_pk", "pair.second_pk")}
    ORDER BY created_at DESC, pk DESC LIMIT 1) AS channel
  ORDER BY created_at DESC, pk DESC LIMIT 1`;

// It changes nothing, but with an idempotency key its result is stored like that of a change.
export const findPair = defineCommand<CreatedChannel, "member_ids">(
  "channels.find-pair",
  { member_ids: "jsonb" },
  `effect AS (
      SELECT ordinal, pair.*, false AS "isCreated" FROM sent CROSS JOIN LATERAL (${pairOf("member_ids")}) AS pair
    )`,
  { subject: createdChannel, sharing: { group: ["member_ids"] } },
);

const readPair: Statement<CreatedChannel & { readonly pk: number }> = {
  name: "channels.read-pair",
  text: `SELECT pair.*, false AS "isCreated" FROM (${pairOf("$1::jsonb")}) pair`,
};

const lockPair = defineLock("channels.lock-pair", "'madang reuse ' || $1");
