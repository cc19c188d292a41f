import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Attachments } from "../../../chat/attachments";
import type { Database } from "../../../db/db";
import type { Numbering } from "../../events/numbering/numbering";
import { presentEvent } from "../../events/present";
import { type ClaimedQueue, claimQueues, finishQueue } from "./claim-store";
import { assignEvents } from "./queue-store";
import { type SendDeps, sendEvent } from "./send";
import { type DeliveryTarget, disableIfFailed, listTargets } from "./target-store";

export interface DeliveryDeps extends SendDeps {
  readonly db: Database;
  readonly numbering: Pick<Numbering, "follow" | "waitBeyond" | "wake">;
  readonly attachments: Pick<Attachments, "addressesFor">;
  readonly random: () => number;
  readonly logger: Pick<Logger, "warn">;
  /** Whether the events of this database may be delivered. */
  readonly mayDeliver?: (() => Promise<boolean>) | undefined;
  readonly onAttempt?: ((isSuccess: boolean) => void) | undefined;
}

/** The maximum of concurrent attempts for one webhook in a process. Other webhooks do not wait for them. */
const maxInFlight = 20;
/** How long a claim is valid. Attempts end after 15 seconds; after this time, another process repeats them. */
const claimMs = 30_000;
/** How often to look for attempts that are due, and for webhooks that another process has changed. */
const intervalMs = 2_000;
/** Events that are numbered within this time are assigned together. */
const pauseMs = 20;
const failureMs = 5 * 86_400_000;
const stopMs = 3_000;

/**
 * Delivers events to webhooks, from its creation on. All processes share the work in the database: one process at a time
 * assigns the events of a webhook to its queues, and a process claims a queue, which has the events of one channel, for each event.
 */
export class Deliveries {
  readonly #deps: DeliveryDeps;
  readonly #running: Promise<void>;
  #targets: ReadonlyMap<number, DeliveryTarget> = new Map();
  /** The attempts that this process makes now, by webhook. */
  readonly #inFlight = new Map<number, Set<Promise<void>>>();
  /** The webhooks whose queues must be claimed, and those whose queues are being claimed. */
  readonly #wanted = new Set<number>();
  readonly #claiming = new Set<number>();
  #isStopped = false;
  /** Aborting it ends the wait before the next look. */
  #wait = new AbortController();
  #unfollow: (() => void) | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
    this.#running = this.#run();
  }

  /** Checks for new webhooks and events now. */
  wake(): void {
    this.#wait.abort();
  }

  /** Stops after the attempts that are under way, for some seconds at most. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    await this.#running;
    this.#unfollow?.();
    const left = [...this.#inFlight.values()].flatMap((works) => [...works]);
    // The process may end before the timer.
    await Promise.race([Promise.all(left), sleep(stopMs, undefined, { ref: false })]);
  }

  async #run(): Promise<void> {
    const { numbering, logger } = this.#deps;
    while (!this.#isStopped) {
      this.#wait = new AbortController();
      let reached = Number.POSITIVE_INFINITY;
      try {
        reached = await this.#assignAndClaim();
        this.#followWhileNeeded();
      } catch (error) {
        logger.warn({ err: error }, "webhooks were interrupted");
      }
      await numbering.waitBeyond(reached, intervalMs, this.#wait.signal);
      await sleep(pauseMs);
    }
  }

  /** Assigns new events and claims what is due. Returns the lowest position up to which events are assigned. */
  async #assignAndClaim(): Promise<number> {
    const { db, keyMaker, mayDeliver } = this.#deps;
    const isPaused = (await mayDeliver?.()) === false;
    const targets = isPaused ? [] : await listTargets(db, keyMaker);
    this.#targets = new Map(targets.map((target) => [target.pk, target]));
    let reached = Number.POSITIVE_INFINITY;
    for (const target of targets) {
      const { pk, position, isBehind, isDue } = target;
      const assigned = isBehind ? await assignEvents(db, target) : undefined;
      reached = Math.min(reached, assigned ?? position);
      if (isBehind || isDue) this.#claimSoon(pk);
    }
    return reached;
  }

  #followWhileNeeded(): void {
    if (this.#targets.size > 0) this.#unfollow ??= this.#deps.numbering.follow({ isAnnounced: false });
    else {
      this.#unfollow?.();
      this.#unfollow = undefined;
    }
  }

  #claimSoon(pk: number): void {
    this.#wanted.add(pk);
    if (!this.#claiming.has(pk)) void this.#claimWanted(pk);
  }

  async #claimWanted(pk: number): Promise<void> {
    this.#claiming.add(pk);
    try {
      while (!this.#isStopped && this.#wanted.delete(pk)) await this.#claim(pk);
    } catch (error) {
      this.#deps.logger.warn({ err: error }, "deliveries could not be claimed");
    } finally {
      this.#claiming.delete(pk);
    }
  }

  async #claim(pk: number): Promise<void> {
    const { db, logger } = this.#deps;
    const target = this.#targets.get(pk);
    const works = this.#inFlight.get(pk) ?? new Set();
    this.#inFlight.set(pk, works);
    const max = maxInFlight - works.size;
    if (target === undefined || max === 0) return;
    for (const queue of await claimQueues(db, { claimMs, max, target })) {
      const work = deliver(this.#deps, target, queue)
        .catch((error: unknown) => logger.warn({ err: error }, "a delivery was interrupted"))
        .finally(() => {
          works.delete(work);
          this.#claimSoon(pk);
        });
      works.add(work);
    }
  }
}

async function deliver(deps: DeliveryDeps, target: DeliveryTarget, queue: ClaimedQueue): Promise<void> {
  const { db, random, onAttempt, numbering, attachments } = deps;
  if (queue.event === null) return finishQueue(db, target.pk, queue, {});
  const event = presentEvent(queue.event, attachments.addressesFor());
  const outcome = await sendEvent(deps, target, event);
  const status = outcome.status ?? 0;
  const isSuccess = status >= 200 && status < 300;
  onAttempt?.(isSuccess);
  await finishQueue(db, target.pk, queue, {
    attempt: { eventId: event.event_id, outcome, isSuccess },
    retryMs: isSuccess ? undefined : retryDelay(queue.attempt + 1, random),
  });
  if (isSuccess) return;
  if (await disableIfFailed(db, target, { isGone: status === 410, failureMs })) numbering.wake();
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
/** How far a delay may differ, so that the retries of many events are not sent at the same moment. */
const jitter = 0.2;

/** When to try again after so many attempts failed, in milliseconds from now. Undefined: the event is abandoned. */
export function retryDelay(failedAttempts: number, random: () => number): number | undefined {
  const delay = delays[failedAttempts - 1];
  return delay && Math.round(delay * (1 - jitter + 2 * jitter * random()));
}
