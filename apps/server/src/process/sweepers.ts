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

/** A round looks at every channel. What is due is hidden at once. */
const retentionIntervalMs = 300_000;
/** Its process may have ended, or its step failed: someone waits for the end of an erasure. */
const erasureIntervalMs = 30_000;

/** Searches read directly what is not indexed yet. */
const indexingIntervalMs = 5_000;
/** Without events, nothing new is indexed. The index leaves the newest messages for some seconds. */
const maxIndexingDelayMs = 20_000;

/** Entries are in the chain within a few seconds. */
const chainIntervalMs = 4_000;

/** With the time that a step takes, the counts are at most five seconds old. */
const usageIntervalMs = 2_000;

/** Returns whether events were numbered recently, also shortly after the start. */
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

/** Starts every task of the background: finishing deletions, removing what has expired, and indexing messages. */
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
  // While nothing is done, nothing is looked for.
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
      // A hold may have ended.
      erasures.wake();
    },
    wakeErasures: erasures.wake,
    async stop() {
      await Promise.all([channels, users, retention, erasures, ...others].map((sweeper) => sweeper.stop()));
    },
  };
}
