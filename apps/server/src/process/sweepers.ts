import type { Logger } from "pino";
import type { Db } from "../db/db";
import { sweepEndedSessions } from "../db/ended-sessions";
import type { CredentialLimit } from "../http/rate-limits/credential-limit";
import { sweepExpiredKeys } from "../idempotency/store";
import { chainStep, sweepExpiredEntries } from "../resources/audit/chain-store";
import { sweepDeletedChannels } from "../resources/channels/delete-store";
import type { Numbering } from "../resources/events/numbering";
import { sweepExpiredEvents } from "../resources/events/store";
import { stepErasures } from "../resources/privacy/erase-store";
import { sweepDueMessages } from "../resources/retention/sweep-store";
import { createIndexer } from "../resources/search/indexer";
import { countUsage } from "../resources/usage/store";
import { sweepDeletedUsers } from "../resources/users/delete-store";
import { sweepAttempts } from "../resources/webhooks/attempts-store";
import { sweepQueues } from "../resources/webhooks/queue-store";
import { inTurns, startSweeper } from "./sweeper";

export interface SweeperDeps {
  readonly db: Db;
  readonly numbering: Pick<Numbering, "wake" | "lastPosition">;
  readonly logger: Logger;
  readonly now: () => number;
  /** How long events and the attempts to deliver them are kept. */
  readonly retentionMs: number;
  /** How long audit entries are kept. */
  readonly auditRetentionMs: number;
  readonly rateLimit: CredentialLimit | undefined;
}

export interface Sweepers {
  wakeChannels(): void;
  wakeUsers(): void;
  wakeRetention(): void;
  wakeErasures(): void;
  stop(): Promise<void>;
}

/** A round visits every channel. It may be late, because expired messages are hidden at once. */
const retentionIntervalMs = 300_000;
/** How soon an erasure continues after its process has ended or a step has failed. */
const erasureIntervalMs = 30_000;

/** May be late, because searches read messages directly until they are indexed. */
const indexingIntervalMs = 5_000;
/** Indexing continues for this time after the last event, because the newest messages are indexed some seconds later. */
const maxIndexingDelayMs = 20_000;

/** Entries are chained within a few seconds. */
const chainIntervalMs = 4_000;

/** With the duration of a step, counts are at most five seconds old. */
const usageIntervalMs = 2_000;

/** Returns whether events were numbered within `recentMs`. The start of the process counts as an event. */
function createChangeDetector(
  numbering: Pick<Numbering, "lastPosition">,
  now: () => number,
  recentMs: number,
): () => boolean {
  let position: number | undefined;
  let changedAt = now();
  return () => {
    if (numbering.lastPosition !== position) {
      position = numbering.lastPosition;
      changedAt = now();
    }
    return Math.abs(now() - changedAt) < recentMs;
  };
}

/** Starts all background tasks: completing deletions, removing expired rows, indexing messages, and others. */
export function startSweepers(deps: SweeperDeps): Sweepers {
  const { db, numbering, logger, now, retentionMs, auditRetentionMs, rateLimit } = deps;
  const start = (task: string, step: () => Promise<boolean>, intervalMs?: number) =>
    startSweeper(task, step, logger, intervalMs);
  const channels = start("removing deleted channels", () => sweepDeletedChannels(db));
  const users = start("ending roles of deleted users", () => sweepDeletedUsers(db).finally(numbering.wake));
  const dueMessages = sweepDueMessages(db);
  const retention = start(
    "erasing messages by age",
    () => dueMessages.step().finally(numbering.wake),
    retentionIntervalMs,
  );
  // The last state of two tasks that do nothing while no event is new: counting usage and indexing.
  let countedTo: number | undefined;
  let isIndexing = false;
  const isChanging = createChangeDetector(numbering, now, maxIndexingDelayMs);
  const erasures = start(
    "erasing users",
    inTurns(() => stepErasures(db, now).finally(numbering.wake)),
    erasureIntervalMs,
  );
  const indexMessages = createIndexer(db, now);
  const others = [
    start(
      "counting usage",
      async () => {
        if (numbering.lastPosition === countedTo) return false;
        const { position, isMore } = await countUsage(db);
        countedTo = position;
        return isMore;
      },
      usageIntervalMs,
    ),
    start(
      "indexing messages for the search",
      inTurns(async () => {
        if (!isIndexing && !isChanging()) return "idle";
        isIndexing = await indexMessages();
        return isIndexing ? "worked" : "idle";
      }),
      indexingIntervalMs,
    ),
    start("removing old idempotency keys", () => sweepExpiredKeys(db)),
    start("removing old sessions of the console", () => sweepEndedSessions(db, now())),
    start("removing old events", () => sweepExpiredEvents(db, retentionMs)),
    start("chaining audit entries", () => chainStep(db, { waitsForLock: false }), chainIntervalMs),
    start("removing old audit entries", () => sweepExpiredEntries(db, auditRetentionMs)),
    start("removing old attempts of webhooks", async () => {
      const hasAttempts = await sweepAttempts(db, retentionMs);
      return (await sweepQueues(db)) || hasAttempts;
    }),
    ...(rateLimit ? [start("removing expired rate-limit windows", rateLimit.sweep)] : []),
  ];
  return {
    wakeChannels: channels.wake,
    wakeUsers: users.wake,
    wakeRetention() {
      dueMessages.restart();
      retention.wake();
      // An erasure can wait for the end of a hold.
      erasures.wake();
    },
    wakeErasures: erasures.wake,
    async stop() {
      await Promise.all([channels, users, retention, erasures, ...others].map((sweeper) => sweeper.stop()));
    },
  };
}
