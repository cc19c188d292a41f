import type { Queryable } from "../../db/db";
import { type Position, positionsDescending } from "../../paging/position";
import {
  addBlocks,
  addChanges,
  addProgress,
  type Change,
  type IndexedMessage,
  listChanges,
  listChannels,
  listDue,
  listNew,
  lockProgress,
  type Progress,
  readMessages,
  removeBlocks,
  removeChanges,
  removeOutdated,
  restartWalk,
  saveFollowed,
  saveWalk,
} from "./index-store";
import { messagesPerBlock, type SignedBlock, signatureVersion, signBlocks } from "./signature";

const channelsPerStep = 500;
const messagesPerStep = 32 * messagesPerBlock;
const followedPerStep = 5_000;
const changesPerStep = 32;
/** Younger messages are not indexed yet: server clocks differ, and a message is committed after it got its time. */
const defaultSettleMs = 10_000;
/** The number of new messages after which the indexer checks whether a channel has enough for a block. */
const messagesPerCheck = 16;
/** How often the indexer passes over all channels, to find messages that were committed later than `settleMs`. */
const walkEveryMs = 86_400_000;
const maxCounts = 100_000;

/** Returns a step of indexing all shards, which returns whether more may remain. */
export function createIndexer(
  db: Queryable,
  now: () => number,
  settleMs = defaultSettleMs,
): () => Promise<boolean> {
  const counts: Map<number, number>[] = [];
  return async () => {
    let isMore = false;
    for (const [index, shard] of db.shards().entries()) {
      counts[index] ??= new Map();
      if (await indexShard(shard, counts[index], now(), settleMs)) isMore = true;
    }
    return isMore;
  };
}

/**
 * Does one step of indexing a shard, in one transaction, and returns whether more may remain. A step does the first of these
 * that has work: sign the blocks of changed messages again, pass over all channels, follow the new messages by time. The row
 * with the progress is locked, so one process at a time indexes a shard; the others skip it. After a kill, the uncommitted step
 * is repeated.
 *
 * A signature covers every message of its block that has no row in `search_changes`, because
 *
 * - a block ends before `latest_at` of the channel, which is read before the messages: later sends get this time or a later
 *   one, and an import of older messages writes changes;
 * - changes are read before the messages, and only the changes that were read are removed: a later edit adds another row.
 *
 * `counts` has the number of new messages of each channel since its last check.
 */
function indexShard(
  shard: Queryable,
  counts: Map<number, number>,
  now: number,
  settleMs: number,
): Promise<boolean> {
  return shard.transaction(async (tx) => {
    await tx.query(addProgress, [signatureVersion, now, now - settleMs]);
    const [progress] = await tx.query(lockProgress);
    // Another process indexes this shard, or a newer version of the server has taken over.
    if (progress === undefined || progress.version > signatureVersion) return false;
    if (progress.version < signatureVersion || (progress.walkedPk === null && isWalkDue(progress, now))) {
      await tx.query(restartWalk, [signatureVersion]);
      return true;
    }
    if (await signChanges(tx)) return true;
    return progress.walkedPk === null
      ? follow(tx, progress, counts, now - settleMs)
      : walk(tx, progress.walkedPk, now);
  });
}

const isWalkDue = ({ walkedAt }: Progress, now: number) => now - walkedAt > walkEveryMs;

/** Indexes the next channels, in the order of their keys. */
async function walk(tx: Queryable, walkedPk: number, now: number): Promise<boolean> {
  const channels = (await tx.query(listChannels, [walkedPk, channelsPerStep])).map(({ pk }) => pk);
  await tx.query(removeOutdated, [channels, signatureVersion]);
  const rest = await appendBlocks(tx, channels);
  await tx.query(saveWalk, [rest === undefined ? (channels.at(-1) ?? null) : rest - 1, now]);
  return channels.length > 0;
}

/** Counts new messages, and indexes the channels that have enough of them. */
async function follow(
  tx: Queryable,
  { followedAt, followedPk }: Progress,
  counts: Map<number, number>,
  until: number,
): Promise<boolean> {
  const noticed = await tx.query(listNew, [followedAt, followedPk, until, followedPerStep]);
  for (const { channelPk, count } of noticed) counts.set(channelPk, (counts.get(channelPk) ?? 0) + count);
  const due = [...counts].flatMap(([channelPk, count]) => (count < messagesPerCheck ? [] : channelPk));
  const rest = due.length === 0 ? undefined : await appendBlocks(tx, due);
  for (const channelPk of due) if (rest === undefined || channelPk < rest) counts.delete(channelPk);
  if (counts.size > maxCounts) counts.clear();
  const [first] = noticed;
  if (first === undefined) return rest !== undefined;
  await tx.query(saveFollowed, [first.lastAt, first.lastPk]);
  return true;
}

/** Appends blocks to channels, in the order of their keys. Returns the channel with which the next step continues. */
async function appendBlocks(tx: Queryable, channels: readonly number[]): Promise<number | undefined> {
  let left = messagesPerStep;
  for (const { channelPk, latestAt, fromAt, fromPk } of await tx.query(listDue, [
    channels,
    messagesPerBlock - 1,
  ])) {
    if (left <= 0) return channelPk;
    const from = { createdAt: fromAt, pk: fromPk };
    const to = { createdAt: latestAt - 1, pk: Number.MAX_SAFE_INTEGER };
    const messages = await readExtents(tx, [{ channelPk, from, to }]);
    const blocks = (await signBlocks(messages)).filter(({ isComplete }) => isComplete);
    await insertBlocks(
      tx,
      blocks.map((block) => ({ ...block, channelPk })),
    );
    if (messages.length === messagesPerStep) return channelPk;
    left -= messages.length;
  }
  return undefined;
}

/** Signs the blocks of changed messages again. Returns whether there were any. */
async function signChanges(tx: Queryable): Promise<boolean> {
  const changes = await tx.query(listChanges, [changesPerStep]);
  if (changes.length === 0) return false;
  const changesOf = Map.groupBy(changes, ({ channelPk, toAt, toPk }) => `${channelPk} ${toAt} ${toPk}`);
  const changed = [...changesOf.values()].map((ofBlock) => ({
    changes: ofBlock,
    extent: extentOf(ofBlock[0]),
  }));
  const extents = changed.flatMap(({ extent }) => extent ?? []);
  const messagesOf = Map.groupBy(await readExtents(tx, extents), ({ number }) => extents[number - 1]);
  const replaced: Extent[] = [];
  const signed: NewBlock[] = [];
  const divided: NewBlock[] = [];
  const done: Change[] = [];
  for (const { changes, extent } of changed) {
    // Messages that are in no block yet are signed with their first one.
    if (extent === undefined) {
      done.push(...changes);
      continue;
    }
    const { channelPk, to } = extent;
    const messages = messagesOf.get(extent) ?? [];
    const blocks: NewBlock[] = (await signBlocks(messages)).map((block) => ({ ...block, channelPk }));
    // A step reads a number of messages. The last one may be the end of the block: then nothing is left.
    const last = messages.at(-1);
    const isCut =
      messages.length === messagesPerStep && last !== undefined && positionsDescending(last, to) > 0;
    if (!isCut) {
      // The last one keeps the key of the old block, even if the message with this key was deleted.
      blocks.push(...blocks.splice(-1).map((block) => ({ ...block, last: to })));
      done.push(...changes);
    } else {
      // An import has added more messages than fit into one step. The rest stays in the old block, with its changes.
      blocks.push({ channelPk, last: to, signature: null });
      done.push(...changes.filter((change) => positionsDescending(positionOf(change), last) >= 0));
    }
    replaced.push(extent);
    if (blocks.length > 1) divided.push(...blocks);
    signed.push(...blocks);
  }
  await tx.query(removeBlocks, [
    replaced.map(({ channelPk }) => channelPk),
    replaced.map(({ to }) => to.createdAt),
    replaced.map(({ to }) => to.pk),
  ]);
  await insertBlocks(tx, signed);
  // A message that was erased meanwhile is reported in the old block, so all blocks that have its messages are signed again.
  await tx.query(addChanges, [
    divided.map(({ channelPk }) => channelPk),
    divided.map(({ last }) => last.createdAt),
    divided.map(({ last }) => last.pk),
  ]);
  await tx.query(removeChanges, [
    done.map(({ channelPk }) => channelPk),
    done.map(({ createdAt }) => createdAt),
    done.map(({ messagePk }) => messagePk),
    done.map(({ pk }) => pk),
  ]);
  return true;
}

/** Messages of a channel: after `from`, up to and including `to`. */
interface Extent {
  readonly channelPk: number;
  readonly from: Position;
  readonly to: Position;
}

/** The block of a changed message. */
function extentOf(change: Change | undefined): Extent | undefined {
  if (change === undefined || change.toAt === null || change.toPk === null) return undefined;
  const { channelPk, fromAt, fromPk, toAt, toPk } = change;
  return { channelPk, from: { createdAt: fromAt, pk: fromPk }, to: { createdAt: toAt, pk: toPk } };
}

const positionOf = ({ createdAt, messagePk }: Change): Position => ({ createdAt, pk: messagePk });

/** The messages of each extent, oldest first, at most `messagesPerStep` of each. */
function readExtents(tx: Queryable, extents: readonly Extent[]): Promise<IndexedMessage[]> {
  return tx.query(readMessages, [
    extents.map(({ channelPk }) => channelPk),
    extents.map(({ from }) => from.createdAt),
    extents.map(({ from }) => from.pk),
    extents.map(({ to }) => to.createdAt),
    extents.map(({ to }) => to.pk),
    messagesPerStep,
  ]);
}

interface NewBlock extends Pick<SignedBlock<Position>, "last"> {
  readonly channelPk: number;
  /** Null: searches read the whole block. */
  readonly signature: Buffer | null;
}

async function insertBlocks(tx: Queryable, blocks: readonly NewBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  await tx.query(addBlocks, [
    blocks.map(({ channelPk }) => channelPk),
    blocks.map(({ last }) => last.createdAt),
    blocks.map(({ last }) => last.pk),
    blocks.map(({ signature }) => signature),
    signatureVersion,
  ]);
}
