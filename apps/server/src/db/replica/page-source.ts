import type { Logger } from "pino";
import type { Db, Reader } from "../db";
import { cacheMinPosition } from "./min-position";
import { trackOutage } from "./outage";
import { findLogPosition, hasReached, type LogPosition } from "./store";

/** Chooses whether a page is read from the primary or from the replica. */
export interface PageSource {
  /** Reads a page. `work` may run twice. */
  read<Found>(query: PageRequest, work: Work<Found>): Promise<PageRead<Found>>;
}

export interface PageRead<Found> {
  readonly found: Found;
  /** What the next cursor must contain. */
  readonly seen: LogPosition | undefined;
  readonly isFromReplica: boolean;
}

type Work<Found> = (reader: Reader) => Promise<Found>;

interface PageRequest {
  /** The position where the previous page ended. Absent for the first page. */
  readonly after?: unknown;
  readonly seen?: LogPosition | undefined;
}

/** Whether the replica served a page, or the primary did because the replica lags or is unavailable. */
export type ReplicaOutcome = "replica" | "behind" | "unavailable";

/** Without a replica. A cursor keeps the log position from a process with a replica. */
export const pagesOfPrimary = (primary: Reader): PageSource => ({
  read: async ({ seen }, work) => ({ found: await work(primary), seen, isFromReplica: false }),
});

/**
 * With a replica. The primary serves the first page, whose cursor contains the primary's log position. A replica that has
 * reached that position shows everything that existed when paging began. Otherwise the primary serves the page.
 */
export function createPageSource({
  primary,
  replica,
  now,
  logger,
  onOutcome,
}: {
  readonly primary: Reader;
  readonly replica: Pick<Db, "readOnOneConnection">;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly onOutcome?: ((outcome: ReplicaOutcome) => void) | undefined;
}): PageSource {
  const outage = trackOutage(now, logger);
  const findMinPosition = cacheMinPosition(primary, now);

  async function readFromReplica<Found>(seen: LogPosition, work: Work<Found>): Promise<[Found] | undefined> {
    if (!outage.canTry()) return void onOutcome?.("unavailable");
    try {
      const minPosition = await findMinPosition();
      // On one connection: one address may resolve to several replicas, each with its own lag.
      const read = await replica.readOnOneConnection(
        async (reader): Promise<[Found] | undefined> =>
          (await hasReached(reader, seen, minPosition)) ? [await work(reader)] : undefined,
      );
      outage.recordSuccess();
      onOutcome?.(read === undefined ? "behind" : "replica");
      return read;
    } catch (error) {
      outage.recordFailure(error);
      return void onOutcome?.("unavailable");
    }
  }

  return {
    async read({ after, seen }, work) {
      if (after === undefined) {
        // In parallel with the page: the position covers what existed before the request. Without one, the primary
        // serves every further page.
        const position = findLogPosition(primary).catch(() => undefined);
        return { found: await work(primary), seen: await position, isFromReplica: false };
      }
      const read = seen && (await readFromReplica(seen, work));
      return read === undefined
        ? { found: await work(primary), seen, isFromReplica: false }
        : { found: read[0], seen, isFromReplica: true };
    },
  };
}
