import type { Db } from "../db/db";
import { sweepEndedSessions } from "../db/ended-sessions";
import type { CredentialLimit } from "../http/rate-limits/credential-limit";
import { chainStep, sweepExpiredEntries } from "../resources/audit/chain-store";
import { sweepDeletedChannels } from "../resources/channels/delete-store";
import type { Task } from "../resources/deps";
import type { Numbering } from "../resources/events/numbering";
import { sweepExpiredEvents } from "../resources/events/store";
import { createEraser } from "../resources/privacy/erase-store";
import { sweepDueMessages } from "../resources/retention/sweep-store";
import { createIndexer } from "../resources/search/indexer";
import { countUsage } from "../resources/usage/store";
import { sweepDeletedUsers } from "../resources/users/delete-store";
import { sweepAttempts } from "../resources/webhooks/attempts-store";
import { Deliveries, type DeliveryDeps } from "../resources/webhooks/deliver";
import { sweepQueues } from "../resources/webhooks/queue-store";
import type { Settings } from "../settings/settings";
import { sweepExpiredKeys } from "../write/keys-store";
import { inTurns, type StepOutcome, type Sweeper, startSweeper } from "./sweeper";

export interface TaskDeps extends DeliveryDeps {
  readonly numbering: Numbering;
  readonly settings: Pick<Settings, "MADANG_EVENTS_DAYS" | "MADANG_AUDIT_DAYS" | "MADANG_RETENTION_DAYS">;
  readonly rateLimit: CredentialLimit | undefined;
}

const dayMs = 86_400_000;

/** With the duration of a round, which visits every channel, expired messages are erased within five minutes. */
const retentionIntervalMs = 240_000;
/** How soon an erasure continues after a step has failed, and how often it looks whether a hold has ended. */
const erasureIntervalMs = 120_000;
/** May be late, because searches read messages directly until they are indexed. */
const indexingIntervalMs = 2_000;
/** Entries are chained within a few seconds. */
const chainIntervalMs = 4_000;
/** With the duration of a step, counts are at most five seconds old. */
const usageIntervalMs = 2_000;

/** Starts everything that runs without a request: deliveries, completing deletions, removing expired rows, and others. */
export function startBackgroundTasks(deps: TaskDeps): {
  wake(task: Task): void;
  stop(): Promise<void>;
} {
  const { db, numbering, logger, now, settings, rateLimit } = deps;
  const eventsMs = settings.MADANG_EVENTS_DAYS * dayMs;
  const start = (name: string, step: () => Promise<boolean>, intervalMs?: number) =>
    startSweeper(name, step, logger, intervalMs);

  const dueMessages = sweepDueMessages(db, settings.MADANG_RETENTION_DAYS);
  const eraseByAge = inTurns(async () => {
    const isMore = await dueMessages.step().finally(numbering.wake);
    return isMore ? "worked" : "idle";
  });
  const retention = start("erasing messages by age", eraseByAge, retentionIntervalMs);
  const eraseSome = createEraser(db, now);
  const eraseUsers = inTurns(() => eraseSome().finally(numbering.wake));
  const erasures = start("erasing users", eraseUsers, erasureIntervalMs);
  const woken: Readonly<Record<Task, Sweeper>> = {
    "deleted channels": start("removing deleted channels", () => sweepDeletedChannels(db)),
    "deleted users": start("ending roles of deleted users", () =>
      sweepDeletedUsers(db).finally(numbering.wake),
    ),
    retention: {
      wake() {
        dueMessages.restart();
        retention.wake();
        // An erasure can wait for the end of a hold.
        erasures.wake();
      },
      stop: retention.stop,
    },
    erasures,
    deliveries: new Deliveries(deps),
  };

  const index = inTurns(createIndexStep(db, numbering));
  const others = [
    start("counting usage", createUsageStep(db, numbering), usageIntervalMs),
    start("indexing messages for the search", index, indexingIntervalMs),
    start("removing old idempotency keys", () => sweepExpiredKeys(db)),
    start("removing old sessions of the console", () => sweepEndedSessions(db, now())),
    start("removing old events", () => sweepExpiredEvents(db, eventsMs)),
    start("chaining audit entries", () => chainStep(db, { waitsForLock: false }), chainIntervalMs),
    start("removing old audit entries", () => sweepExpiredEntries(db, settings.MADANG_AUDIT_DAYS * dayMs)),
    start("removing old attempts of webhooks", async () => {
      const hasAttempts = await sweepAttempts(db, eventsMs);
      return (await sweepQueues(db)) || hasAttempts;
    }),
    ...(rateLimit ? [start("removing expired rate-limit windows", rateLimit.sweep)] : []),
  ];
  return {
    wake: (task) => woken[task].wake(),
    async stop() {
      await Promise.all([...Object.values(woken), ...others].map((task) => task.stop()));
    },
  };
}

/** Counts only when there are new events. */
function createUsageStep(db: Db, numbering: Numbering): () => Promise<boolean> {
  let countedTo: number | undefined;
  return async () => {
    if (numbering.lastPosition === countedTo) return false;
    const position = numbering.lastPosition;
    const outcome = await countUsage(db);
    if (outcome === "idle") countedTo = position;
    return outcome === "worked";
  };
}

/** Indexes only when there are new events. */
function createIndexStep(db: Db, numbering: Numbering): () => Promise<StepOutcome> {
  const indexMessages = createIndexer(db);
  let indexedTo: number | undefined;
  return async () => {
    if (numbering.lastPosition === indexedTo) return "idle";
    const position = numbering.lastPosition;
    const outcome = await indexMessages();
    if (outcome === "idle") indexedTo = position;
    return outcome === "worked" ? "worked" : "idle";
  };
}
