import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Db } from "../../db/db";
import type { Numbering } from "../events/numbering";
import { presentEvent } from "../events/present";
import { type ClaimedQueue, claimQueues, finishQueue } from "./claim-store";
import { assignEvents } from "./queue-store";
import { retryDelay } from "./retry";
import { type SendDeps, sendEvent } from "./send";
import { type DeliveryTarget, disableIfFailed, listTargets } from "./target-store";

export interface DeliveryDeps extends SendDeps {
  readonly db: Db;
  readonly numbering: Pick<Numbering, "follow" | "waitBeyond" | "wake">;
  readonly random: () => number;
  readonly logger: Pick<Logger, "warn">;
  /** Whether the events of this database may be delivered. */
  readonly mayDeliver?: (() => Promise<boolean>) | undefined;
  /** Called after every attempt. */
  readonly onAttempt?: ((isSuccess: boolean) => void) | undefined;
}

export interface Deliveries {
  /** Looks for new webhooks and events now. */
  wake(): void;
  /** Stops after the attempts that are under way, for some seconds at most. */
  stop(): Promise<void>;
}

/** How many attempts of one webhook a process makes at the same time. Other webhooks do not wait for them. */
const maxInFlight = 20;
/** How long a process may take for an attempt, which ends after 15 seconds, until another one makes it again. */
const claimMs = 30_000;
/** How often to look for attempts that are due, and for webhooks that another process has changed. */
const intervalMs = 2_000;
/** Events that are numbered within this time are assigned together. */
const pauseMs = 20;
const failureMs = 5 * 86_400_000;
const stopMs = 3_000;

/**
 * Delivers events to webhooks. Every process does this; the database shares out the work: one process at a time assigns
 * the events of a webhook to its queues, and a queue, which holds the events of one channel, is claimed for one event.
 */
export function startDeliveries(deps: DeliveryDeps): Deliveries {
  const { db, numbering, keyMaker, logger } = deps;
  const inFlight = new Map<number, Set<Promise<void>>>();
  const wanted = new Set<number>();
  const claiming = new Set<number>();
  let targets: ReadonlyMap<number, DeliveryTarget> = new Map();
  let isStopped = false;
  let turn = new AbortController();
  let unfollow: (() => void) | undefined;

  /** Assigns new events and claims what is due. Returns the lowest position up to which events are assigned. */
  const look = async () => {
    const isPaused = (await deps.mayDeliver?.()) === false;
    const found = isPaused ? [] : await listTargets(db, keyMaker);
    targets = new Map(found.map((target) => [target.pk, target]));
    let reached = Number.POSITIVE_INFINITY;
    for (const { pk, position, isBehind, isDue } of found) {
      const assigned = isBehind ? await assignEvents(db, pk) : undefined;
      reached = Math.min(reached, assigned ?? position);
      if (isBehind || isDue) claimSoon(pk);
    }
    return reached;
  };
  const followWhileNeeded = () => {
    if (targets.size > 0) unfollow ??= numbering.follow({ isAnnounced: false });
    else {
      unfollow?.();
      unfollow = undefined;
    }
  };
  const claim = async (pk: number) => {
    const target = targets.get(pk);
    const works = inFlight.get(pk) ?? new Set();
    inFlight.set(pk, works);
    const max = maxInFlight - works.size;
    if (target === undefined || max === 0) return;
    const { types } = target;
    for (const queue of await claimQueues(db, pk, { claimMs, max, types })) {
      const work = deliver(deps, target, queue)
        .catch((error: unknown) => logger.warn({ err: error }, "a delivery was interrupted"))
        .finally(() => {
          works.delete(work);
          claimSoon(pk);
        });
      works.add(work);
    }
  };
  const claimWanted = async (pk: number) => {
    claiming.add(pk);
    try {
      while (!isStopped && wanted.delete(pk)) await claim(pk);
    } catch (error) {
      logger.warn({ err: error }, "deliveries could not be claimed");
    } finally {
      claiming.delete(pk);
    }
  };
  const claimSoon = (pk: number) => {
    wanted.add(pk);
    if (!claiming.has(pk)) void claimWanted(pk);
  };
  const run = async () => {
    while (!isStopped) {
      turn = new AbortController();
      let reached = Number.POSITIVE_INFINITY;
      try {
        reached = await look();
        followWhileNeeded();
      } catch (error) {
        logger.warn({ err: error }, "webhooks were interrupted");
      }
      await numbering.waitBeyond(reached, intervalMs, turn.signal);
      await sleep(pauseMs);
    }
  };
  const running = run();

  return {
    wake: () => turn.abort(),
    async stop() {
      isStopped = true;
      turn.abort();
      await running;
      unfollow?.();
      const left = [...inFlight.values()].flatMap((works) => [...works]);
      // The process may end before the timer.
      await Promise.race([Promise.all(left), sleep(stopMs, undefined, { ref: false })]);
    },
  };
}

async function deliver(deps: DeliveryDeps, target: DeliveryTarget, queue: ClaimedQueue): Promise<void> {
  const { db, random, onAttempt, numbering } = deps;
  if (queue.event === null) return finishQueue(db, target.pk, queue, {});
  const event = presentEvent(queue.event);
  const outcome = await sendEvent(deps, target, event);
  const { status = 0 } = outcome;
  const isSuccess = status >= 200 && status < 300;
  onAttempt?.(isSuccess);
  await finishQueue(db, target.pk, queue, {
    attempt: { eventId: event.event_id, outcome, isSuccess },
    retryMs: isSuccess ? undefined : retryDelay(queue.attempt + 1, random),
  });
  if (isSuccess) return;
  if (await disableIfFailed(db, target.pk, { isGone: status === 410, failureMs })) numbering.wake();
}
