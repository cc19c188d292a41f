import type { Queryable } from "../../db/db";
import { isDatabaseUnavailable } from "../../db/faults";
import { ServiceError } from "../../errors";
import { type NewMessage, refuseMessage, type StoredMessage, sendMessage, sendTogether } from "./store";

interface Waiting {
  readonly message: NewMessage & { readonly now: number };
  readonly resolve: (stored: StoredMessage | PromiseLike<StoredMessage>) => void;
  readonly reject: (error: unknown) => void;
}

/** A statement stays short, and so does the wait of whoever comes next. */
const mostTogether = 64;

/** Who has waited so long for those before it, because somebody holds the channel's row, is told to come again. */
const longestWaitMs = 2_000;
/** The same after the database failed those before it: whoever waited longer would wait for another silence, and too long. */
const longestWaitAfterSilenceMs = 250;

/**
 * Sends messages. Those that arrive for a channel while another of this process is being stored there are stored
 * together afterwards: the channel's row, which counts its messages and lets in one writer at a time, is then written
 * once for all of them. Nobody waits for company: the first is stored at once.
 */
export function gatherMessages(
  db: Queryable,
  now: () => number,
): (message: NewMessage) => Promise<StoredMessage> {
  const queues = new Map<string, Waiting[]>();

  const work = async (channelId: string, queue: Waiting[]) => {
    let patienceMs = longestWaitMs;
    while (queue.length > 0) {
      const { patient, late } = separateLate(queue.splice(0, mostTogether), now() - patienceMs);
      for (const { reject } of late) reject(refuseLate(channelId));
      const isAnswering = await storeAll(db, channelId, patient);
      patienceMs = isAnswering ? longestWaitMs : longestWaitAfterSilenceMs;
    }
    queues.delete(channelId);
  };

  return (message) =>
    new Promise((resolve, reject) => {
      const waiting = { message: { ...message, now: now() }, resolve, reject };
      const queue = queues.get(message.channelId);
      if (queue !== undefined) return void queue.push(waiting);
      const opened = [waiting];
      queues.set(message.channelId, opened);
      void work(message.channelId, opened);
    });
}

function separateLate(waiting: readonly Waiting[], since: number) {
  const isLate = ({ message }: Waiting) => message.now < since;
  return { patient: waiting.filter((one) => !isLate(one)), late: waiting.filter(isLate) };
}

const refuseLate = (channelId: string) =>
  new ServiceError(
    "unavailable",
    `Too much is being written to the channel ${channelId}. Try again shortly.`,
  );

/** Settles each of them, and never fails itself. Answers whether the database does. */
async function storeAll(db: Queryable, channelId: string, batch: readonly Waiting[]): Promise<boolean> {
  const [only, second] = batch;
  if (only === undefined) return true;
  if (second === undefined) return storeAlone(db, only);
  try {
    const stored = await sendTogether(
      db,
      channelId,
      batch.map(({ message }) => message),
    );
    for (const [index, { message, resolve }] of batch.entries())
      resolve(stored[index] ?? refuseMessage(db, message));
    return true;
  } catch (error) {
    // PostgreSQL took none of them. Unless it is the database itself, one may be to blame, and the others are not.
    if (isDatabaseUnavailable(error)) {
      for (const { reject } of batch) reject(error);
      return false;
    }
    for (const waiting of batch) await storeAlone(db, waiting);
    return true;
  }
}

async function storeAlone(db: Queryable, { message, resolve, reject }: Waiting): Promise<boolean> {
  const { now, ...alone } = message;
  try {
    resolve(await sendMessage(db, alone, now));
    return true;
  } catch (error) {
    reject(error);
    return !isDatabaseUnavailable(error);
  }
}
