import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ReplicaOutcome } from "../../db/replica/page-source";
import type { RequestObserver } from "../../http/measure-requests";
import type { WebhookQueue } from "../../subjects/webhooks/queue";

export interface PoolCounts {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface FeedCounts {
  /** Events that are committed and have no position yet, and the age of the oldest of them in seconds. */
  readonly queue: number;
  readonly lagSeconds: number;
  readonly streams: number;
}

/** The metrics of this process, in the text format of Prometheus. */
export interface Metrics extends RequestObserver {
  observeStatement(name: string, durationMs: number): void;
  /** Counts the pages after the first, by where they were read. */
  countReplicaRead(outcome: ReplicaOutcome): void;
  countWebhookAttempt(isSuccess: boolean): void;
  /** `read` is called whenever the metrics are read. */
  watchWebhooks(read: () => Promise<readonly WebhookQueue[]>, now: () => number): void;
  /** `count` is called whenever the metrics are read. */
  watchPool(count: () => PoolCounts): void;
  /** Called whenever the metrics are read. */
  watchFeed(measure: () => Promise<FeedCounts>): void;
  countDroppedStream(): void;
  render(): Promise<string>;
  readonly contentType: string;
}

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Labels are operations, methods of the contract, statuses and keys that exist: a client without a key cannot add any. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "madang_request_duration_seconds",
    help: "Duration of requests, by operation and status.",
    labelNames: ["operation", "method", "status"],
    buckets: requestSeconds,
    registers: [registry],
  });
  const statements = new Histogram({
    name: "madang_statement_duration_seconds",
    help: "Duration of statements, including the wait for a connection, by name.",
    labelNames: ["statement"],
    buckets: requestSeconds,
    registers: [registry],
  });
  const callers = new Counter({
    name: "madang_key_requests_total",
    help: "Requests with a valid key, by the id and label of the key. The id of the master key is master.",
    labelNames: ["key_id", "key_label"],
    registers: [registry],
  });
  const replicaReads = new Counter({
    name: "madang_replica_reads_total",
    help: "Pages after the first, when a replica is set: read from it, or from the primary because it was behind or unavailable.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const droppedStreams = new Counter({
    name: "madang_event_streams_dropped_total",
    help: "Streams that were cut because their client did not read.",
    registers: [registry],
  });
  const webhookAttempts = new Counter({
    name: "madang_webhook_attempts_total",
    help: "Attempts to deliver events to webhooks, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["success", "failure"]) webhookAttempts.inc({ outcome }, 0);
  return {
    observeRequest(operation, method, status, durationMs) {
      requests.observe({ operation, method, status }, durationMs / 1_000);
    },
    countCaller(caller) {
      if (caller.kind === "master") callers.inc({ key_id: "master", key_label: "" });
      else callers.inc({ key_id: caller.id, key_label: caller.label ?? "" });
    },
    observeStatement(statement, durationMs) {
      statements.observe({ statement }, durationMs / 1_000);
    },
    countReplicaRead(outcome) {
      replicaReads.inc({ outcome });
    },
    countWebhookAttempt(isSuccess) {
      webhookAttempts.inc({ outcome: isSuccess ? "success" : "failure" });
    },
    watchWebhooks(read, now) {
      const watch = (name: string, help: string, measure: (queue: WebhookQueue) => number) => {
        const gauge = new Gauge({
          name,
          help,
          labelNames: ["webhook"],
          registers: [registry],
          async collect() {
            // Without a database the other metrics are served all the same.
            const queues = await read().catch(() => []);
            gauge.reset();
            for (const queue of queues) gauge.set({ webhook: queue.webhookId }, measure(queue));
          },
        });
      };
      watch(
        "madang_webhook_queue",
        "Channels, and events without a channel, that wait for a delivery, by webhook.",
        ({ lanes }) => lanes,
      );
      watch(
        "madang_webhook_failing_seconds",
        "For how long a webhook had nothing but failures.",
        ({ failingSince }) => (failingSince === null ? 0 : (now() - failingSince) / 1_000),
      );
    },
    watchPool(count) {
      const gauge = new Gauge({
        name: "madang_pool_connections",
        help: "Open and idle database connections, and requests that wait for one.",
        labelNames: ["state"],
        registers: [registry],
        collect() {
          for (const [state, value] of Object.entries(count())) this.set({ state }, value);
        },
      });
      gauge.reset();
    },
    watchFeed(measure) {
      let counts: Promise<FeedCounts> | undefined;
      // One measurement serves the three gauges.
      const current = () => {
        counts ??= measure().finally(() => {
          counts = undefined;
        });
        return counts;
      };
      const gauges = [
        ["madang_event_queue", "Events that no client can read yet, over all processes.", "queue"],
        [
          "madang_event_lag_seconds",
          "The age of the oldest event that no client can read yet.",
          "lagSeconds",
        ],
        ["madang_event_streams", "Open streams of events of this process.", "streams"],
      ] as const;
      for (const [name, help, field] of gauges)
        new Gauge({
          name,
          help,
          registers: [registry],
          async collect() {
            this.set((await current())[field]);
          },
        });
    },
    countDroppedStream() {
      droppedStreams.inc();
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
