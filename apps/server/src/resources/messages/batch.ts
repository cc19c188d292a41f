import { bindClaim } from "../../db/bind-claim";
import type { Claim } from "../../db/claim";
import type { Queryable } from "../../db/db";
import { isDatabaseUnavailable } from "../../db/faults";
import { ServiceError } from "../../errors";
import type { MessageRow } from "./row";
import { type BatchedMessage, type NewMessage, sendBatch, sendMessage } from "./store";

interface Waiting extends BatchedMessage {
  /** By a monotonic clock. */
  readonly since: number;
  readonly resolve: (stored: MessageRow) => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps a statement short, and so the wait of the messages after it. */
const maxBatch = 64;

/** A message that waited longer for earlier ones, because the channel's row is locked, is rejected with 503. */
const maxWaitMs = 2_000;
/** The same after the database failed the earlier ones: waiting for another timeout would take too long. */
const maxWaitAfterFailureMs = 250;

/**
 * Sends messages. Messages that arrive for a channel while this process stores an earlier one there are then stored in
 * one batch, in their order of arrival. The channel's row counts its messages and allows one writer at a time; a batch
 * writes it once. No message waits for a batch to fill: the first is stored immediately.
 */
export function batchMessages(
  db: Queryable,
  now: () => number,
): (message: NewMessage, claim?: Claim) => Promise<MessageRow> {
  const queues = new Map<string, Waiting[]>();

  const work = async (channelId: string, queue: Waiting[]) => {
    let maxMs = maxWaitMs;
    while (queue.length > 0) {
      const { inTime, late } = separateLate(takeBatch(queue), performance.now() - maxMs);
      for (const { reject } of late) reject(rejectLate(channelId));
      if (inTime.length === 0) continue;
      const isAvailable = await storeAll(db, channelId, inTime, now);
      maxMs = isAvailable ? maxWaitMs : maxWaitAfterFailureMs;
    }
    queues.delete(channelId);
  };

  return (message, claim) =>
    new Promise((resolve, reject) => {
      const waiting = { message, claim, since: performance.now(), resolve, reject };
      const queue = queues.get(message.channelId);
      if (queue !== undefined) return void queue.push(waiting);
      const opened = [waiting];
      queues.set(message.channelId, opened);
      void work(message.channelId, opened);
    });
}

/** Takes messages from the front of the queue, up to the first that repeats an idempotency key. */
function takeBatch(queue: Waiting[]): Waiting[] {
  const keys = new Set<string>();
  let length = 0;
  for (const { claim } of queue.slice(0, maxBatch)) {
    const key = claim && `${claim.caller} ${claim.key}`;
    if (key !== undefined && keys.has(key)) break;
    if (key !== undefined) keys.add(key);
    length += 1;
  }
  return queue.splice(0, length);
}

function separateLate(waiting: readonly Waiting[], earliest: number) {
  const isLate = ({ since }: Waiting) => since < earliest;
  return { inTime: waiting.filter((one) => !isLate(one)), late: waiting.filter(isLate) };
}

const rejectLate = (channelId: string) =>
  new ServiceError(
    "unavailable",
    `Too many messages are being sent to the channel ${channelId}. Try again shortly.`,
  );

/** Settles the promise of each message and never rejects. Returns whether the database is available. */
async function storeAll(
  db: Queryable,
  channelId: string,
  batch: readonly Waiting[],
  now: () => number,
): Promise<boolean> {
  const [only, second] = batch;
  if (only === undefined) return true;
  if (second === undefined) return storeAlone(db, only, now);
  try {
    const stored = await sendBatch(db, channelId, batch, now());
    for (const [index, waiting] of batch.entries()) {
      const message = stored[index];
      if (message !== undefined) waiting.resolve(message);
      // On its own, it is rejected with a reason, or stored after a concurrent change. The next batch does not wait.
      else void storeAlone(db, waiting, now);
    }
    return true;
  } catch (error) {
    // None was stored. Unless the database is unavailable, one of the messages may be the cause.
    if (isDatabaseUnavailable(error)) {
      for (const { reject } of batch) reject(error);
      return false;
    }
    for (const waiting of batch) await storeAlone(db, waiting, now);
    return true;
  }
}

async function storeAlone(
  db: Queryable,
  { message, claim, resolve, reject }: Waiting,
  now: () => number,
): Promise<boolean> {
  try {
    resolve(await sendMessage(claim ? bindClaim(db, claim) : db, message, now()));
    return true;
  } catch (error) {
    reject(error);
    return !isDatabaseUnavailable(error);
  }
}
