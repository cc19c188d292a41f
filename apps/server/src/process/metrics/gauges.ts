import { Counter, Gauge, type Registry } from "prom-client";
import type { Queue } from "../../db/citus/collect-events";
import type { Database } from "../../db/db";
import type { Storage } from "../../modules/files/storage/storage";
import type { PushQueue } from "../../modules/push/delivery/queue-store";
import type { WebhookQueue } from "../../modules/webhooks/delivery/queue-store";
import type { Resource } from "../../turns/resource";

type ResourceState = Resource["state"];

/** `count` is called whenever the metrics are read, as is what the other gauges get. */
export function watchPool(registry: Registry, count: Database["countConnections"]): void {
  new Gauge({
    name: "madang_pool_connections",
    help: "Open database connections of this process, and those of them that are idle.",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { open, idle } = count();
      this.set({ state: "open" }, open);
      this.set({ state: "idle" }, idle);
    },
  });
}

/** What the clients of a process share. Several of a name, such as the connections to several nodes, count together. */
export function watchResources(
  registry: Registry,
  list: () => readonly { readonly name: string; readonly state: ResourceState }[],
): void {
  const watch = (
    Kind: typeof Gauge | typeof Counter,
    name: string,
    help: string,
    measure: (state: ResourceState) => number,
  ) => {
    const metric: Gauge | Counter = new Kind({
      name,
      help,
      labelNames: ["resource"],
      registers: [registry],
      collect() {
        metric.reset();
        for (const { name: resource, state } of list()) metric.inc({ resource }, measure(state));
      },
    });
  };
  watch(
    Gauge,
    "madang_resource_in_use",
    "How much of a resource requests of this process hold.",
    (state) => state.inUse,
  );
  watch(
    Gauge,
    "madang_resource_waiting",
    "Requests of this process that wait for their turn.",
    (state) => state.waiting,
  );
  watch(
    Counter,
    "madang_resource_rejected_total",
    "Requests of this process that got 429 or 503 because of a resource.",
    (state) => state.rejected,
  );
}

export function watchPresence(registry: Registry, count: () => number): void {
  new Gauge({
    name: "madang_online_users",
    help: "Users who are online at this process. A user connected to several processes counts at each.",
    registers: [registry],
    collect() {
      this.set(count());
    },
  });
}

/** The help text of gauges that every process reads from the database, with equal values. */
const shared = "Of the whole service: aggregate with max.";

export function watchLog(registry: Registry, count: () => number): void {
  new Counter({
    name: "madang_log_lines_dropped_total",
    help: "Lines of the log that were dropped, because standard output could not be written.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(count());
    },
  });
}

/** It reads the whole table. */
const measureEveryMs = 60_000;

export function watchStorage(
  registry: Registry,
  storage: Pick<Storage, "requireOwn" | "measureDisk">,
  measureFiles: () => Promise<{ readonly files: number; readonly bytes: number }>,
): void {
  new Gauge({
    name: "madang_storage_up",
    help: "1 if the storage of files can be used.",
    registers: [registry],
    async collect() {
      const check = storage.requireOwn();
      this.set(
        await check.then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  const totals = shareMeasurement(measureFiles, measureEveryMs);
  for (const [name, help, field] of [
    ["madang_stored_files", `Files whose bytes have arrived. ${shared}`, "files"],
    ["madang_stored_bytes", `The bytes of these files. ${shared}`, "bytes"],
  ] as const)
    watchMeasured(registry, name, help, async () => (await totals())[field]);
  const { measureDisk } = storage;
  if (measureDisk === undefined) return;
  const disk = shareMeasurement(measureDisk);
  for (const [name, help, field] of [
    ["madang_storage_free_bytes", "The free bytes of the disk of files.", "freeBytes"],
    ["madang_storage_size_bytes", "The size of the disk of files.", "totalBytes"],
  ] as const)
    watchMeasured(registry, name, help, async () => (await disk())[field]);
}

/** A gauge that is absent while it cannot be measured. */
function watchMeasured(registry: Registry, name: string, help: string, measure: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const measured = await measure().catch(() => undefined);
      if (measured === undefined) this.remove();
      else this.set(measured);
    },
  });
}

export function watchFeed(registry: Registry, measure: () => Promise<Queue>): void {
  const current = shareMeasurement(measure);
  new Gauge({
    name: "madang_event_queue_up",
    help: "1 if the queue of events could be measured. 0 if the database, or a worker of Citus, does not respond.",
    registers: [registry],
    async collect() {
      this.set(
        await current().then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  const gauges = [
    ["madang_event_queue", `Events that no client can read yet. ${shared}`, "queue"],
    [
      "madang_event_lag_seconds",
      `The age of the oldest event that no client can read yet. ${shared}`,
      "lagSeconds",
    ],
  ] as const;
  for (const [name, help, field] of gauges)
    watchMeasured(registry, name, help, async () => (await current())[field]);
}

export function watchWebhooks(
  registry: Registry,
  read: () => Promise<readonly WebhookQueue[]>,
  now: () => number,
): void {
  const current = shareMeasurement(read);
  const watch = (name: string, help: string, measure: (queue: WebhookQueue) => number) => {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ["webhook"],
      registers: [registry],
      async collect() {
        // Without a database the other metrics are served all the same.
        const queues = await current().catch(() => []);
        gauge.reset();
        for (const queue of queues) gauge.set({ webhook: queue.webhookId }, measure(queue));
      },
    });
  };
  watch(
    "madang_webhook_queue",
    `Channels, and events without a channel, that wait for a delivery, by webhook. ${shared}`,
    ({ queues }) => queues,
  );
  watch(
    "madang_webhook_failing_seconds",
    `For how long a webhook had nothing but failures. ${shared}`,
    ({ failingSince }) => (failingSince === null ? 0 : (now() - failingSince) / 1_000),
  );
}

export function watchHooks(
  registry: Registry,
  list: () => readonly { readonly hookId: string; readonly breaker: { readonly pausedMs: number } }[],
): void {
  new Gauge({
    name: "madang_hook_paused",
    help: "1 while this process has paused a hook because it failed repeatedly, by hook.",
    labelNames: ["hook"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { hookId, breaker } of list()) this.set({ hook: hookId }, breaker.pausedMs > 0 ? 1 : 0);
    },
  });
}

export function watchPushes(registry: Registry, measure: () => Promise<PushQueue>): void {
  const current = shareMeasurement(measure);
  const gauges = [
    ["madang_push_queue", `Messages that wait to be pushed to a device. ${shared}`, "waiting"],
    ["madang_push_oldest_seconds", `For how long the oldest of them has waited. ${shared}`, "oldestSeconds"],
  ] as const;
  for (const [name, help, field] of gauges)
    watchMeasured(registry, name, help, async () => (await current())[field]);
}

/** One measurement serves all gauges that are read during it, and for a time after it began. */
function shareMeasurement<Result>(measure: () => Promise<Result>, validMs = 0): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    if (running !== undefined) return running;
    const measured = measure();
    running = measured;
    const forget = () => {
      running = undefined;
    };
    measured.then(() => (validMs === 0 ? forget() : void setTimeout(forget, validMs).unref()), forget);
    return measured;
  };
}
