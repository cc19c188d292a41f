import type { Logger } from "pino";
import type { Db } from "../db/db";
import type { CredentialLimit } from "../http/rate-limits/credential-limit";
import { sweepExpiredKeys } from "../idempotency/store";
import { sweepDeletedChannels } from "../resources/channels/delete-store";
import type { Numbering } from "../resources/events/numbering";
import { sweepExpiredEvents } from "../resources/events/store";
import { sweepDeletedUsers } from "../resources/users/delete-store";
import { sweepAttempts } from "../resources/webhooks/attempts-store";
import { sweepQueues } from "../resources/webhooks/queue-store";
import { startSweeper } from "./sweeper";

export interface SweeperDeps {
  readonly db: Db;
  readonly numbering: Pick<Numbering, "wake">;
  readonly logger: Logger;
  /** How long events and the attempts to deliver them are kept. */
  readonly retentionMs: number;
  readonly rateLimit: CredentialLimit | undefined;
}

export interface Sweepers {
  wakeChannels(): void;
  wakeUsers(): void;
  stop(): Promise<void>;
}

/** Starts every task of the background: finishing deletions, and removing what has expired. */
export function startSweepers({ db, numbering, logger, retentionMs, rateLimit }: SweeperDeps): Sweepers {
  const start = (task: string, step: () => Promise<boolean>) => startSweeper(task, step, logger);
  const channels = start("removing deleted channels", () => sweepDeletedChannels(db));
  const users = start("ending roles of deleted users", () => sweepDeletedUsers(db).finally(numbering.wake));
  const others = [
    start("removing old idempotency keys", () => sweepExpiredKeys(db)),
    start("removing old events", () => sweepExpiredEvents(db, retentionMs)),
    start("removing old attempts of webhooks", async () => {
      const hasAttempts = await sweepAttempts(db, retentionMs);
      return (await sweepQueues(db)) || hasAttempts;
    }),
    ...(rateLimit ? [start("removing expired rate-limit windows", rateLimit.sweep)] : []),
  ];
  return {
    wakeChannels: channels.wake,
    wakeUsers: users.wake,
    async stop() {
      await Promise.all([channels, users, ...others].map((sweeper) => sweeper.stop()));
    },
  };
}
