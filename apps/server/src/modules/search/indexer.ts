import type { Db, Tx } from "../../db/db";
import { columnsOf } from "../../db/row";
import type { Consumed } from "../../jobs/run-jobs";
import { fillPage } from "../../paging/page-bytes";
import { isNewer, type Position, positionsDescending } from "../../paging/position";
import { consume, findBatchEnd, moveConsumer } from "../events/consumers-store";
import { type Extent, fromOf, toOf, valuesOf } from "./extent";
import {
  addBlocks,
  bytesPerStep,
  findBuild,
  type IndexedMessage,
  listBlocks,
  listChannels,
  listDue,
  minMessageBytes,
  readEventsOfBatch,
  readMessages,
  removeBlocks,
  removeOutdated,
  startBuild,
} from "./index-store";
import { messagesPerBlock, signatureVersion, signBlocks } from "./signature";

const channelsPerStep = 500;
const rangesPerBatch = 50;
/** Most changes are in no block yet, or in the same one. */
const changesPerStep = 1_000;
const blocksPerStep = 32;
/** The number of new messages after which the indexer checks whether a channel has enough for a block. */
const messagesPerCheck = 16;
const maxCounts = 100_000;
/** The position of a build that is complete. */
const complete = Number.MAX_SAFE_INTEGER;

/** What is left to do for the events between two positions. */
interface Batch {
  readonly after: number;
  readonly through: number;
  /** What was edited, deleted or imported. */
  readonly changed: readonly Extent[];
  /** Channels with enough new messages for a block. */
  readonly due: readonly number[];
}

/**
 * Returns a step of indexing. The index is a consumer of the feed of events: a step signs the blocks of some changed messages
 * again, or appends blocks to channels with new messages, and the position moves after the last step for a batch of events. After
 * a kill, the steps for a batch are repeated. Once for each version of the signatures, it also passes over all channels.
 *
 * A signature covers every message of its block, apart from changes whose events are after the position, because
 *
 * - a block ends before `latest_at` of the channel, which is read before the messages: later sends get this time or a later one,
 *   and imports and edits have events;
 * - messages are read after the event of the change was, so after its commit.
 */
export function createIndexer(db: Db): () => Promise<Consumed> {
  /** The number of new messages of each channel since its last check. */
  const counts = new Map<number, number>();
  let batch: Batch | undefined;
  return async () => {
    let left: Batch | undefined;
    const outcome = await consume(db, "search", async (tx, after) => {
      left = undefined;
      const build = await findNewestBuild(tx);
      // A newer version of the server has taken over.
      if (build === undefined) return undefined;
      const current = batch?.after === after ? batch : await readBatch(tx, after, counts);
      if (current === undefined) return (await continueBuild(tx, build)) ? after : undefined;
      left = await doSome(tx, current);
      return left === undefined ? current.through : after;
    });
    // Only after the commit.
    batch = outcome === true ? left : undefined;
    return outcome;
  };
}

/** Reads which messages and channels the next events concern. */
async function readBatch(tx: Tx, after: number, counts: Map<number, number>): Promise<Batch | undefined> {
  const through = await findBatchEnd(tx, after, rangesPerBatch);
  if (through === undefined) return undefined;
  const changed: Extent[] = [];
  const due: number[] = [];
  for (const { channelPk, added, messages, times } of await tx.query(readEventsOfBatch, [after, through])) {
    for (const [createdAt, pk] of messages) changed.push(extentOf(channelPk, createdAt, pk, pk));
    for (const createdAt of times?.flat() ?? [])
      changed.push(extentOf(channelPk, createdAt, 0, Number.MAX_SAFE_INTEGER));
    const count = (counts.get(channelPk) ?? 0) + added;
    counts.set(channelPk, count);
    if (count >= messagesPerCheck) due.push(channelPk);
  }
  for (const channelPk of due) counts.delete(channelPk);
  if (counts.size > maxCounts) counts.clear();
  // Those of a block are signed in one step.
  changed.sort(inOrder);
  return { after, through, changed, due: due.sort((one, other) => one - other) };
}

/** By channel and end, as blocks are. */
const inOrder = (one: Extent, other: Extent) =>
  one.channelPk - other.channelPk || positionsDescending(toOf(other), toOf(one));

const extentOf = (channelPk: number, createdAt: number, firstPk: number, lastPk: number): Extent => ({
  channelPk,
  fromAt: createdAt,
  fromPk: firstPk - 1,
  toAt: createdAt,
  toPk: lastPk,
});

/** Does a part of the work, and returns what is left. Undefined: nothing. */
async function doSome(tx: Tx, batch: Batch): Promise<Batch | undefined> {
  const { changed, due } = batch;
  if (changed.length > 0) {
    const now = changed.slice(0, changesPerStep);
    const left = new Set<Extent>();
    for (const schema of tx.schemas())
      for (const change of await schema.transaction((tx) => signAgain(tx, now))) left.add(change);
    return { ...batch, changed: [...[...left].sort(inOrder), ...changed.slice(changesPerStep)] };
  }
  const rest = await appendBlocks(tx, due);
  return rest === undefined ? undefined : { ...batch, due: due.filter((channelPk) => channelPk >= rest) };
}

interface Build {
  readonly name: string;
  /** The channels up to this one are indexed. */
  readonly position: number;
}

/** The build of this version, or undefined if there is one of a newer version. */
async function findNewestBuild(tx: Tx): Promise<Build | undefined> {
  const [found] = await tx.query(findBuild);
  if (found !== undefined && found.version >= signatureVersion)
    return found.version === signatureVersion ? found : undefined;
  const name = `search build ${signatureVersion}`;
  await tx.query(startBuild, [name]);
  return { name, position: 0 };
}

/** Indexes the next channels, in the order of their keys. Returns whether more may remain. */
async function continueBuild(tx: Tx, { name, position }: Build): Promise<boolean> {
  if (position === complete) return false;
  const reached: number[] = [];
  const channels: number[] = [];
  for (const schema of tx.schemas()) {
    const next = (await schema.query(listChannels, [position, channelsPerStep])).map(({ pk }) => pk);
    await schema.query(removeOutdated, [next, signatureVersion]);
    channels.push(...next);
    if (next.length === channelsPerStep) reached.push(next.at(-1) ?? 0);
  }
  const rest = await appendBlocks(tx, channels);
  if (rest !== undefined) reached.push(rest - 1);
  await moveConsumer(tx, name, Math.min(complete, ...reached));
  return true;
}

/** Appends blocks to channels, in the order of their keys. Returns the channel with which the next step continues. */
async function appendBlocks(tx: Tx, channels: readonly number[]): Promise<number | undefined> {
  const rest: number[] = [];
  for (const schema of tx.schemas()) {
    const next = await appendBlocksOf(schema, channels);
    if (next !== undefined) rest.push(next);
  }
  return rest.length === 0 ? undefined : Math.min(...rest);
}

async function appendBlocksOf(db: Db, channels: readonly number[]): Promise<number | undefined> {
  let left = bytesPerStep;
  for (const due of await db.query(listDue, [channels, messagesPerBlock - 1])) {
    const { channelPk } = due;
    if (left <= 0) return channelPk;
    const { messages, isFull } = await readExtents(db, [due]);
    const blocks = (await signBlocks(messages)).filter(({ isComplete }) => isComplete || isFull);
    await insertBlocks(
      db,
      blocks.map((block) => ({ ...block, channelPk })),
    );
    if (isFull) return channelPk;
    for (const message of messages) left -= bytesOf(message);
  }
  return undefined;
}

/** Signs some blocks of changed messages again, and returns what is left: other changes, and the rest of a block that was read in part. */
async function signAgain(tx: Tx, changed: readonly Extent[]): Promise<readonly Extent[]> {
  const found = await tx.query(listBlocks, [...valuesOf(changed), blocksPerStep]);
  const { messages: read, isFull } = await readExtents(tx, found);
  const blocks = isFull ? found.slice(0, read.at(-1)?.number) : found;
  const lastBlock = blocks.at(-1);
  if (lastBlock === undefined) return [];
  const messagesOf = Map.groupBy(read, ({ number }) => number - 1);
  const signed: NewBlock[] = [];
  const left: Extent[] = [];
  for (const [index, block] of blocks.entries()) {
    const { channelPk } = block;
    const key = toOf(block);
    const messages = messagesOf.get(index) ?? [];
    const ofBlock: NewBlock[] = (await signBlocks(messages)).map((each) => ({ ...each, channelPk }));
    const last = messages.at(-1);
    const isCut = isFull && block === lastBlock && last !== undefined && isNewer(key, last);
    // The last one keeps the key of the old block, even if the message with this key was deleted.
    if (isCut) ofBlock.push({ channelPk, ...key, signature: null });
    else ofBlock.push(...ofBlock.splice(-1).map((signedBlock) => ({ ...signedBlock, ...key })));
    if (isCut) left.push({ ...block, fromAt: last.createdAt, fromPk: last.pk });
    signed.push(...ofBlock);
  }
  await tx.query(removeBlocks, columnsOf(blocks, "channelPk", "toAt", "toPk"));
  await insertBlocks(tx, signed);
  if (blocks.length < found.length || found.length === blocksPerStep)
    left.push(
      ...changed
        .filter((change) => inOrder(change, lastBlock) > 0)
        .map((change) => afterBlock(lastBlock, change)),
    );
  return left;
}

/** What of a change is after a block. The change may have begun in it. */
function afterBlock(block: Extent, change: Extent): Extent {
  const { createdAt: fromAt, pk: fromPk } = toOf(block);
  const beganBefore = block.channelPk === change.channelPk && isNewer(toOf(block), fromOf(change));
  return beganBefore ? { ...change, fromAt, fromPk } : change;
}

/**
 * The messages of extents, oldest first, as many as a step reads. While they are signed, the transaction waits: the time that it may
 * wait is limited. They are full if there may be more.
 */
async function readExtents(
  db: Db,
  extents: readonly Extent[],
): Promise<{ readonly messages: readonly IndexedMessage[]; readonly isFull: boolean }> {
  const found = await db.query(readMessages, valuesOf(extents));
  const { count, isFull } = fillPage(found, Number.POSITIVE_INFINITY, bytesOf, bytesPerStep);
  return { messages: found.slice(0, count), isFull };
}

const bytesOf = ({ text }: IndexedMessage) => Math.max(minMessageBytes, Buffer.byteLength(text ?? ""));

/** A block with its key. */
interface NewBlock extends Position {
  readonly channelPk: number;
  /** Null: searches read the whole block. */
  readonly signature: Buffer | null;
}

async function insertBlocks(db: Db, blocks: readonly NewBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  await db.query(addBlocks, [
    ...columnsOf(blocks, "channelPk", "createdAt", "pk", "signature"),
    signatureVersion,
  ]);
}
