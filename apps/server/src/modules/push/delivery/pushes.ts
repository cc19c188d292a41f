import { setTimeout as sleep } from "node:timers/promises";
import type { PushProvider } from "@madang/contract";
import type { Logger } from "pino";
import type { Database } from "../../../db/db";
import { ServiceError } from "../../../errors/service-error";
import { runAsService } from "../../../turns/client";
import type { Numbering } from "../../events/numbering/numbering";
import { countUserUnread } from "../../inbox/unread-store";
import type { DeviceSecrets } from "../device-secrets";
import { hasDevices } from "../devices-store";
import { type Payload, topicOf } from "../providers/notification";
import type { PushOutcome } from "../providers/outcome";
import type { Providers } from "../providers/providers";
import { recordService } from "../services-store";
import { readMessages } from "./messages-store";
import { type PushContent, payloadOf } from "./payload";
import {
  type ClaimedPush,
  claimPushes,
  enqueuePushes,
  finishPush,
  isStillClaimed,
  listDueServices,
} from "./queue-store";
import { ServiceLimits, unprovenPerUser } from "./service-limits";

export interface PushesDeps {
  readonly db: Database;
  readonly numbering: Pick<Numbering, "numberChanges">;
  readonly providers: Providers;
  readonly deviceSecrets: DeviceSecrets;
  readonly pushSettings: { readonly delayMs: number; readonly content: PushContent };
  readonly random: () => number;
  readonly logger: Pick<Logger, "warn">;
  /** Whether the events of this database may be delivered. */
  readonly mayDeliver?: (() => Promise<boolean>) | undefined;
  readonly onPush?: ((provider: PushProvider, result: PushOutcome["result"]) => void) | undefined;
}

/** How long a claim is valid. Attempts end before, and another process repeats those of a process that died. */
const claimMs = 40_000;
/** How often to look for messages while there are devices, and otherwise. One query for many messages costs less than one for each. */
const intervalMs = 200;
const idleIntervalMs = 2_000;
/** What ends within this time is claimed together. */
const pauseMs = 20;
const hasDevicesEveryMs = 2_000;
const stopMs = 3_000;
/** A service that takes longer counts as failing: it gets fewer pushes at once. */
const slowMs = 5_000;
/** What was read longer ago is read again before it is sent: nothing is sent a second after it is not wanted any more. */
const freshMs = 500;
/** How often the success of a service is recorded: another process may have recorded a failure. */
const recordEveryMs = 10_000;

/**
 * Pushes messages to devices. One process at a time reads the feed and stores which messages devices shall get. All processes share the
 * work of sending them. Whatever is killed, another process sends what is stored, at least once.
 */
export class Pushes {
  readonly #deps: PushesDeps;
  readonly #running: Promise<void>;
  readonly #limits = new ServiceLimits();
  readonly #inFlight = new Set<Promise<void>>();
  /** When the next success of a service is recorded. */
  readonly #recordAt = new Map<string, number>();
  #isStopped = false;
  #isWoken = false;
  /** Aborting it ends the wait before the next look. */
  #wait = new AbortController();
  #hasDevices = false;
  #looksForDevicesAt = 0;
  #looksForMessagesAt = 0;

  constructor(deps: PushesDeps) {
    this.#deps = deps;
    this.#running = runAsService(() => this.#run());
  }

  /** Looks for due messages now: the first device may have been registered. */
  wake(): void {
    this.#looksForDevicesAt = 0;
    this.#continue();
  }

  /** Stops after the attempts that are under way, for some seconds at most. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#continue();
    await this.#running;
    // The process may end before the timer.
    await Promise.race([Promise.all(this.#inFlight), sleep(stopMs, undefined, { ref: false })]);
  }

  #continue(): void {
    this.#isWoken = true;
    this.#wait.abort();
  }

  async #run(): Promise<void> {
    const { mayDeliver, logger } = this.#deps;
    while (!this.#isStopped) {
      this.#wait = new AbortController();
      this.#isWoken = false;
      let waitMs = intervalMs;
      try {
        if ((await mayDeliver?.()) !== false) waitMs = await this.#step();
      } catch (error) {
        logger.warn({ err: error }, "pushes were interrupted");
      }
      const { signal } = this.#wait;
      if (waitMs > 0 && !this.#isWoken) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      await sleep(pauseMs);
    }
  }

  /** Returns how long to wait before the next one. */
  async #step(): Promise<number> {
    await this.#lookForDevices();
    const isMore = performance.now() >= this.#looksForMessagesAt && (await this.#lookForMessages());
    const claimed = this.#hasDevices ? await this.#claim() : 0;
    if (isMore || claimed > 0) return 0;
    return this.#hasDevices ? this.#looksForMessagesAt - performance.now() : idleIntervalMs;
  }

  async #lookForMessages(): Promise<boolean> {
    const { db, numbering, providers, pushSettings } = this.#deps;
    if (this.#hasDevices) numbering.numberChanges();
    const { delayMs } = pushSettings;
    const isMore = await enqueuePushes(db, { providers: providers.names, delayMs });
    this.#looksForMessagesAt = isMore ? 0 : performance.now() + intervalMs;
    return isMore;
  }

  async #lookForDevices(): Promise<void> {
    const { db, providers } = this.#deps;
    const now = performance.now();
    if (now < this.#looksForDevicesAt) return;
    this.#looksForDevicesAt = now + hasDevicesEveryMs;
    this.#hasDevices = providers.names.length > 0 && (await hasDevices(db));
  }

  /** Claims what is due and begins to send it. Returns how many pushes it claimed. */
  async #claim(): Promise<number> {
    const { db, logger } = this.#deps;
    const busyUserPks = this.#limits.busyUsers();
    const free = this.#limits.freeOf(await listDueServices(db, busyUserPks));
    if (free.size === 0) return 0;
    const readAt = performance.now();
    const claimed = await claimPushes(db, free, { busyUserPks, perUser: unprovenPerUser, claimMs });
    const payloads = await this.#readPayloads(claimed);
    for (const push of claimed) {
      const work = this.#deliver(push, payloads.get(push), readAt)
        .catch((error: unknown) => logger.warn({ err: error }, "a push was interrupted"))
        .finally(() => {
          this.#inFlight.delete(work);
          this.#continue();
        });
      this.#inFlight.add(work);
    }
    return claimed.length;
  }

  /** What is sent, of those that are still to be sent. */
  async #readPayloads(pushes: readonly ClaimedPush[]): Promise<ReadonlyMap<ClaimedPush, Payload>> {
    const { db, pushSettings } = this.#deps;
    const found = new Map<ClaimedPush, Payload>();
    const unread = shareUnread(db);
    const bySchema = Map.groupBy(pushes, ({ channelId }) => db.channel(channelId));
    for (const [schema, ofSchema] of bySchema) {
      const recipients = ofSchema.map((push) => ({ ...push, createdAt: push.messageCreatedAt }));
      const shown = await readMessages(db, schema, recipients);
      await Promise.all(
        shown.map(async (message) => {
          const push = ofSchema[message.index];
          const unreadCount = push && (await unread(push.userId));
          if (push === undefined || unreadCount === undefined) return;
          found.set(push, payloadOf(push, message, { content: pushSettings.content, unreadCount }));
        }),
      );
    }
    return found;
  }

  async #deliver(push: ClaimedPush, payload: Payload | undefined, readAt: number): Promise<void> {
    const { db, random, providers, deviceSecrets, onPush } = this.#deps;
    const target = deviceSecrets.open(push.sealed);
    if (payload === undefined || target === undefined) return finishPush(db, push, undefined);
    const { service, userPk } = push;
    const leaveUser = this.#limits.beginOf(userPk, service);
    this.#limits.begin(service);
    let isAccepted: boolean | undefined;
    try {
      const notification = { payload, topic: topicOf(push.channelId) };
      const outcome = await providers.send(target, notification, this.#keepFresh(push, readAt));
      const { result, retryAfterMs = 0 } = outcome;
      if (result !== "unwanted") isAccepted = result !== "failed" && outcome.durationMs < slowMs;
      onPush?.(target.provider, result);
      const retryMs = Math.max(retryAfterMs, retryDelay(push.attempt + 1, random));
      await finishPush(db, push, outcome, retryMs);
      await this.#recordService(service, outcome);
    } finally {
      this.#limits.end(service, isAccepted);
      leaveUser();
    }
  }

  /** Asked before each request is sent: its turn, a token or a connection may have taken long. */
  #keepFresh(push: ClaimedPush, readAt: number): () => Promise<boolean> {
    let freshUntil = readAt + freshMs;
    return async () => {
      // Once more if the database took long.
      for (;;) {
        const now = performance.now();
        if (now < freshUntil) return true;
        freshUntil = now + freshMs;
        if (!(await this.#isWanted(push))) return false;
      }
    };
  }

  async #isWanted(push: ClaimedPush): Promise<boolean> {
    const { db } = this.#deps;
    if (!(await isStillClaimed(db, push))) return false;
    const recipient = { ...push, createdAt: push.messageCreatedAt };
    return (await readMessages(db, db.channel(push.channelId), [recipient])).length > 0;
  }

  async #recordService(service: string, { result, status, error }: PushOutcome): Promise<void> {
    const now = performance.now();
    if (result === "failed" || status === 401 || status === 403) {
      this.#recordAt.delete(service);
      await recordService(this.#deps.db, service, error ?? `HTTP ${status}`);
    } else if (result === "accepted" && now >= (this.#recordAt.get(service) ?? 0)) {
      this.#recordAt.set(service, now + recordEveryMs);
      await recordService(this.#deps.db, service, null);
    }
  }
}

/** The unread count of each user, read once. Undefined: the user does not exist any more. */
function shareUnread(db: Database): (userId: string) => Promise<number | undefined> {
  const counts = new Map<string, Promise<number | undefined>>();
  return (userId) => {
    const count =
      counts.get(userId) ??
      countUserUnread(db, userId).then(
        ({ unreadCount }) => unreadCount,
        (error: unknown) => {
          if (error instanceof ServiceError) return undefined;
          throw error;
        },
      );
    counts.set(userId, count);
    return count;
  };
}

const [second, minute] = [1_000, 60_000];
const delays = [5 * second, 15 * second, 45 * second, 2 * minute, 5 * minute];
/** How far a delay may differ, so that the retries of many pushes are not sent at the same moment. */
const jitter = 0.2;

/** When to try again after so many attempts failed, in milliseconds. The last delay is that of all further attempts. */
export function retryDelay(failedAttempts: number, random: () => number): number {
  const delay = delays[Math.min(failedAttempts, delays.length) - 1] ?? 0;
  return Math.round(delay * (1 - jitter + 2 * jitter * random()));
}
