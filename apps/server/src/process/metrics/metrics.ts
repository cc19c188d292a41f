import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { version } from "../../../package.json";
import type { OnStatement } from "../../db/connection/time-statement";
import type { RequestMetrics } from "../../http/observe/observe-requests";
import type { OnJobStep } from "../../jobs/run-jobs";

/** The metrics of this process, in the text format of Prometheus. */
export interface Metrics extends RequestMetrics {
  readonly observeStatement: OnStatement;
  observeJob: OnJobStep;
  countWebhookAttempt(isSuccess: boolean): void;
  countPush(provider: string, result: string): void;
  countFilterHit(action: string): void;
  observeFilters(durationMs: number): void;
  countHookCall(hook: string, outcome: string, durationMs: number): void;
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
  const callerSeconds = new Counter({
    name: "madang_key_request_seconds_total",
    help: "How long the requests of a key took together.",
    labelNames: ["key_id", "key_label"],
    registers: [registry],
  });
  const rejections = new Counter({
    name: "madang_rejected_requests_total",
    help: "Requests that were rejected, by the code of the error.",
    labelNames: ["code"],
    registers: [registry],
  });
  const jobSuccesses = new Gauge({
    name: "madang_job_last_success_timestamp_seconds",
    help: "When a job of this process last did a step without an error.",
    labelNames: ["name"],
    registers: [registry],
  });
  const jobFailures = new Counter({
    name: "madang_job_failures_total",
    help: "Steps of jobs that failed.",
    labelNames: ["name"],
    registers: [registry],
  });
  /** Since when each job has work left, by a monotonic clock. */
  const behindSince = new Map<string, number | undefined>();
  new Gauge({
    name: "madang_job_behind_seconds",
    help: "For how long a job of this process has had work left. 0: it has done everything.",
    labelNames: ["name"],
    registers: [registry],
    collect() {
      const now = performance.now();
      for (const [name, since] of behindSince)
        this.set({ name }, since === undefined ? 0 : (now - since) / 1_000);
    },
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
  const pushes = new Counter({
    name: "madang_pushes_total",
    help: "Attempts to push a message to a device, by provider and outcome.",
    labelNames: ["provider", "outcome"],
    registers: [registry],
  });
  const filterHits = new Counter({
    name: "madang_filter_hits_total",
    help: "Texts that a filter matched, by its action.",
    labelNames: ["action"],
    registers: [registry],
  });
  for (const action of ["reject", "mask", "report"]) filterHits.inc({ action }, 0);
  const filterSeconds = new Histogram({
    name: "madang_filter_duration_seconds",
    help: "How long it took to compare a text with the filters of its channel.",
    buckets: [0.00005, 0.0002, 0.001, 0.005, 0.02, 0.1, 0.5],
    registers: [registry],
  });
  const hookCalls = new Histogram({
    name: "madang_hook_call_duration_seconds",
    help: "Duration of the calls of hooks, by hook and outcome. skipped: the hook was paused, or no time was left for the call.",
    labelNames: ["hook", "outcome"],
    buckets: requestSeconds,
    registers: [registry],
  });
  return {
    observeRequest(operation, method, status, durationMs) {
      requests.observe({ operation, method, status }, durationMs / 1_000);
    },
    countCaller(caller, durationMs) {
      const key =
        caller.kind === "master"
          ? { key_id: "master", key_label: "" }
          : // All tokens of users together: there may be very many.
            { key_id: caller.id ?? "tokens", key_label: caller.label ?? "" };
      callers.inc(key);
      callerSeconds.inc(key, durationMs / 1_000);
    },
    countRejection(code) {
      rejections.inc({ code });
    },
    observeJob(name, outcome) {
      if (outcome === "failed") jobFailures.inc({ name });
      else jobSuccesses.setToCurrentTime({ name });
      const since = behindSince.get(name);
      behindSince.set(name, outcome === "finished" ? undefined : (since ?? performance.now()));
    },
    observeStatement(statement, durationMs) {
      statements.observe({ statement }, durationMs / 1_000);
    },
    countWebhookAttempt(isSuccess) {
      webhookAttempts.inc({ outcome: isSuccess ? "success" : "failure" });
    },
    countPush(provider, outcome) {
      pushes.inc({ provider, outcome });
    },
    countFilterHit(action) {
      filterHits.inc({ action });
    },
    observeFilters(durationMs) {
      filterSeconds.observe(durationMs / 1_000);
    },
    countHookCall(hook, outcome, durationMs) {
      hookCalls.observe({ hook, outcome }, durationMs / 1_000);
    },
    countDroppedStream() {
      droppedStreams.inc();
    },
    registry,
  };
}
