import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { version } from "../../../package.json";
import type { OnStatement } from "../../db/connection/time-statement";
import type { RequestMetrics } from "../../http/observe/observe-requests";

/** The metrics of this process, in the text format of Prometheus. */
export interface Metrics extends RequestMetrics {
  readonly observeStatement: OnStatement;
  countWebhookAttempt(isSuccess: boolean): void;
  countDroppedStream(): void;
  readonly registry: Registry;
}

const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Labels are operations, methods of the contract, statuses and keys that exist: a client without a key cannot add any. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "madang_build_info",
    help: "The version of the server. Always 1.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
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
      // All tokens of users together: there may be very many.
      else callers.inc({ key_id: caller.id ?? "tokens", key_label: caller.label ?? "" });
    },
    observeStatement(statement, durationMs) {
      statements.observe({ statement }, durationMs / 1_000);
    },
    countWebhookAttempt(isSuccess) {
      webhookAttempts.inc({ outcome: isSuccess ? "success" : "failure" });
    },
    countDroppedStream() {
      droppedStreams.inc();
    },
    registry,
  };
}
