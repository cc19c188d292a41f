import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { metricsUrlOf, readMetrics, startServer } from "../../../test/support/server";
import { watchFeed, watchStreams, watchWebhooks } from "./gauges";
import { createMetrics } from "./metrics";

const server = await startServer({ settings: { MADANG_METRICS_PORT: "0" } });
afterAll(() => server.close());

const read = () => readMetrics(server);

/** The metrics of a server with a webhook. */
async function readAll(): Promise<string> {
  await call(server.url, "GET", "/v1/users/nobody");
  const metrics = createMetrics();
  watchWebhooks(
    metrics.registry,
    async () => [{ webhookId: "wh_1", queues: 3, failingSince: 5_000 }],
    () => 9_000,
  );
  return (await read()) + (await metrics.registry.metrics());
}

const readPage = (path: string) => readFile(new URL(`../../../../../${path}`, import.meta.url), "utf8");

/** Whether a series of the metric has the label. */
const isShown = (text: string, metric: string, label = "") =>
  text.split("\n").some((line) => /^\w+/.exec(line)?.[0] === metric && line.includes(label && `${label}="`));

test("requests are counted by operation and status, statements by name, connections by state", async () => {
  await call(server.url, "GET", "/v1/users/nobody");
  await call(server.url, "GET", "/v1/nowhere");
  const text = await read();
  expect(text).toContain(
    'madang_request_duration_seconds_count{operation="users.get",method="GET",status="404"} 1',
  );
  expect(text).toContain(
    'madang_request_duration_seconds_count{operation="none",method="GET",status="404"} 1',
  );
  expect(text).toContain('madang_statement_duration_seconds_count{statement="users.find"} 1');
  expect(text).toMatch(/madang_pool_connections\{state="open"\} [1-9]/);
  expect(text).toMatch(/^madang_pool_waiting_requests \d/m);
  expect(text).toMatch(/madang_build_info\{version="\d+\.\d+\.\d+"\} 1/);
  expect(text).toContain("nodejs_eventloop_lag_seconds");
  expect(text).toContain("process_resident_memory_bytes");
});

test("queues, lag and failures of events and webhooks are shown, and nothing fails without a database", async () => {
  const metrics = createMetrics();
  let isDatabaseDown = false;
  watchStreams(metrics.registry, () => 7);
  watchFeed(metrics.registry, async () => {
    if (isDatabaseDown) throw new Error("There is no database.");
    return { queue: 2, lagSeconds: 0.5 };
  });
  watchWebhooks(
    metrics.registry,
    async () => {
      if (isDatabaseDown) throw new Error("There is no database.");
      return [{ webhookId: "wh_1", queues: 3, failingSince: 5_000 }];
    },
    () => 9_000,
  );
  metrics.countWebhookAttempt(true);
  const text = await metrics.registry.metrics();
  expect(text).toContain("madang_event_queue 2");
  expect(text).toContain("madang_event_lag_seconds 0.5");
  expect(text).toContain("madang_event_streams 7");
  expect(text).toContain('madang_webhook_attempts_total{outcome="success"} 1');
  expect(text).toContain('madang_webhook_attempts_total{outcome="failure"} 0');
  expect(text).toContain('madang_webhook_queue{webhook="wh_1"} 3');
  expect(text).toContain('madang_webhook_failing_seconds{webhook="wh_1"} 4');
  isDatabaseDown = true;
  const without = await metrics.registry.metrics();
  expect(without).toContain("madang_webhook_attempts_total");
  expect(without).not.toContain("wh_1");
  expect(without).toContain("madang_event_streams 7");
  expect(without).not.toMatch(/^madang_event_(queue|lag_seconds) /m);
  expect(text).toContain("madang_event_queue_up 1");
  expect(without).toContain("madang_event_queue_up 0");
});

test.each(["alerts.yml", "grafana.json"])(
  "every metric and label that deploy/%s uses exists",
  async (name) => {
    const text = await readAll();
    const rules = [...(await readPage(`deploy/${name}`)).matchAll(/^ +"?expr"?: (.+)$/gm)].map(
      ([, rule]) => rule ?? "",
    );
    expect(rules.length).toBeGreaterThan(5);
    const used = rules.flatMap((rule) => [
      ...rule.matchAll(/\b((?:madang|nodejs|process)_\w+)(?:\{(\w+)!?=)?/g),
    ]);
    for (const [, metric = "", label] of used)
      expect(isShown(text, metric, label), `${metric} ${label}`).toBe(true);
  },
);

test("docs/observing.md lists every metric of Madang with its labels", async () => {
  const text = await readAll();
  const listed = [...(await readPage("docs/observing.md")).matchAll(/`(madang_\w+)(?:\{([\w,]+)\})?`/g)];
  for (const [, metric = "", labels = ""] of listed)
    for (const label of labels.split(","))
      expect(isShown(text.replaceAll(/_count(?=\{)/g, ""), metric, label), `${metric} ${label}`).toBe(true);
  const served = new Set([...text.matchAll(/^# HELP (madang_\w+)/gm)].map(([, metric]) => metric));
  expect(listed.map(([, metric]) => metric).toSorted()).toEqual([...served].toSorted());
});

test("the public port does not serve metrics, and the metrics port serves nothing else", async () => {
  expect((await call(server.url, "GET", "/metrics")).status).toBe(404);
  expect((await fetch(new URL("/v1/users", metricsUrlOf(server)))).status).toBe(404);
});

test("unknown paths and methods create no new series", async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => call(server.url, "GET", `/v1/unknown_${index}`)),
  );
  await call(server.url, "PROPFIND", "/v1/users");
  const text = await read();
  expect(text).not.toContain("unknown_");
  expect(text).not.toContain("PROPFIND");
});
