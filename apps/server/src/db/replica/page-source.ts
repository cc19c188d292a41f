import type { Logger } from "pino";
import type { Db, Reader } from "../db";
import { keepFloor } from "./floor";
import { watchOutage } from "./outage";
import { findLogPlace, hasReached, type LogPlace } from "./store";

/** Reads pages where they may be read. */
export interface PageSource {
  /** Reads a page. `work` may run twice. */
  read<Found>(asked: AskedPage, work: Work<Found>): Promise<PageRead<Found>>;
}

export interface PageRead<Found> {
  readonly found: Found;
  /** What the cursor of the next page must carry. */
  readonly seen: LogPlace | undefined;
  readonly isFromReplica: boolean;
}

type Work<Found> = (reader: Reader) => Promise<Found>;

interface AskedPage {
  /** Where the page before it ended; absent on a first page. */
  readonly after?: unknown;
  readonly seen?: LogPlace | undefined;
}

/** Read from the replica; or from the database, because the replica has not done enough yet or does not answer. */
export type ReplicaAnswer = "replica" | "behind" | "gone";

/** Without a replica. A cursor keeps what another process, which has one, wrote into it. */
export const pagesOfPrimary = (primary: Reader): PageSource => ({
  read: async ({ seen }, work) => ({ found: await work(primary), seen, isFromReplica: false }),
});

/**
 * With a replica. A first page comes from the primary, and its cursor carries how far the primary's log went: whatever
 * replica has done as much shows all that was there when the walk began. If it has not, or fails, the primary answers.
 */
export function createPageSource({
  primary,
  replica,
  now,
  logger,
  onAnswer,
}: {
  readonly primary: Reader;
  readonly replica: Pick<Db, "readOnOneConnection">;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly onAnswer?: ((answer: ReplicaAnswer) => void) | undefined;
}): PageSource {
  const outage = watchOutage(now, logger);
  const findFloor = keepFloor(primary, now);

  async function readFromReplica<Found>(seen: LogPlace, work: Work<Found>): Promise<[Found] | undefined> {
    if (!outage.mayAsk()) return void onAnswer?.("gone");
    try {
      const floor = await findFloor();
      // On one connection: behind one address there may be several replicas, of which each has done more or less.
      const read = await replica.readOnOneConnection(
        async (reader): Promise<[Found] | undefined> =>
          (await hasReached(reader, seen, floor)) ? [await work(reader)] : undefined,
      );
      outage.hasAnswered();
      onAnswer?.(read === undefined ? "behind" : "replica");
      return read;
    } catch (error) {
      outage.hasFailed(error);
      return void onAnswer?.("gone");
    }
  }

  return {
    async read({ after, seen }, work) {
      if (after === undefined) {
        // At the same time: what the place must cover was there before the request. Unknown, all pages are the primary's.
        const place = findLogPlace(primary).catch(() => undefined);
        return { found: await work(primary), seen: await place, isFromReplica: false };
      }
      const read = seen && (await readFromReplica(seen, work));
      return read === undefined
        ? { found: await work(primary), seen, isFromReplica: false }
        : { found: read[0], seen, isFromReplica: true };
    },
  };
}
