import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { masterKey, metricsUrlOf, readMetrics, startServer } from "../../../test/support/server";
import { startJobs } from "../../jobs/run-jobs";
import { createLogger } from "../logger";
import { watchFeed, watchHooks, watchPushes, watchResources, watchWebhooks } from "./gauges";
import { createMetrics } from "./metrics";

const server = await startServer({ settings: { MADANG_METRICS_PORT: "0" } });
afterAll(() => server.close());

const read = () => readMetrics(server);

/** The metrics of a server with a webhook. */
async function readAll(): Promise<string> {
  await call(server.url, "GET", "/v1/users/nobody");
  const metrics = createMetrics();
  metrics.observeJob("erasing users", "failed");
  metrics.observeJob("erasing users", "more");
  metrics.countPush("webpush", "accepted");
  metrics.countHookCall("hook_1", "accept", 20);
  watchHooks(metrics.registry, () => [{ hookId: "hook_1", breaker: { pausedMs: 1 } }]);
  watchPushes(metrics.registry, async () => ({ waiting: 2, oldestSeconds: 1 }));
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
  expect(text).toMatch(/^madang_resource_waiting\{resource="connections"\} \d/m);
  expect(text).toMatch(/madang_build_info\{version="\d+\.\d+\.\d+"\} 1/);
  expect(text).toContain("nodejs_eventloop_lag_seconds");
  expect(text).toContain("process_resident_memory_bytes");
});

test("queues, lag and failures of events and webhooks are shown, and nothing fails without a database", async () => {
  const metrics = createMetrics();
  let isDatabaseDown = false;
  const state = { inUse: 3, waiting: 2, rejected: 1 };
  watchResources(metrics.registry, () => [
    { name: "connections", state },
    { name: "connections", state },
  ]);
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
  expect(text).toContain('madang_resource_in_use{resource="connections"} 6');
  expect(text).toContain('madang_resource_waiting{resource="connections"} 4');
  expect(text).toContain('madang_resource_rejected_total{resource="connections"} 2');
  expect(text).toContain('madang_webhook_attempts_total{outcome="success"} 1');
  expect(text).toContain('madang_webhook_attempts_total{outcome="failure"} 0');
  expect(text).toContain('madang_webhook_queue{webhook="wh_1"} 3');
  expect(text).toContain('madang_webhook_failing_seconds{webhook="wh_1"} 4');
  isDatabaseDown = true;
  const without = await metrics.registry.metrics();
  expect(without).toContain("madang_webhook_attempts_total");
  expect(without).not.toContain("wh_1");
  expect(without).toContain("madang_resource_in_use");
  expect(without).not.toMatch(/^madang_event_(queue|lag_seconds) /m);
  expect(text).toContain("madang_event_queue_up 1");
  expect(without).toContain("madang_event_queue_up 0");
});

test("each job shows its last success, its failures, and for how long it has had work left", async () => {
  const metrics = createMetrics();
  const jobs = startJobs(
    [
      {
        name: "failing",
        step: async (): Promise<boolean> => {
          throw new Error("A fault.");
        },
      },
      { name: "busy", step: async () => true },
      { name: "idle", step: async () => false },
    ],
    createLogger("silent"),
    metrics.observeJob,
  );
  const read = () => metrics.registry.metrics();
  await expect.poll(read).toMatch(/madang_job_behind_seconds\{name="busy"\} (0\.[1-9]|[1-9])/);
  await expect.poll(read).toMatch(/madang_job_failures_total\{name="failing"\} [1-9]/);
  await expect.poll(read).toContain('madang_job_behind_seconds{name="idle"} 0');
  const text = await read();
  await jobs.stop();
  const [, at] = /madang_job_last_success_timestamp_seconds\{name="idle"\} (\S+)/.exec(text) ?? [];
  expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(60);
  expect(text).not.toContain('madang_job_last_success_timestamp_seconds{name="failing"}');
});

test("what filters found is counted by action, and the time of every comparison", async () => {
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, maxRetries: 0 });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  await chat.filters.create({ label: "Masked", words: ["mild"], action: "mask" });
  await chat.filters.create({ label: "Rejected", words: ["strong"], action: "reject" });
  const say = (content: string) => chat.messages.send("room_1", { user_id: "kim_01", type: "text", content });
  await say("nothing");
  await say("mild");
  await expect(say("mild and strong")).rejects.toMatchObject({ code: "message_rejected" });
  const text = await read();
  expect(text).toContain('madang_filter_hits_total{action="mask"} 2');
  expect(text).toContain('madang_filter_hits_total{action="reject"} 1');
  expect(text).toContain('madang_filter_hits_total{action="report"} 0');
  expect(text).toContain("madang_filter_duration_seconds_count 3");
  expect(text).toContain('madang_rejected_requests_total{code="message_rejected"} 1');
});

test("rejections, the time of keys, and the storage of files are shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
  const settings = { MADANG_METRICS_PORT: "0", MADANG_FILES: `folder:${folder}` };
  const storing = await startServer({ settings });
  const chat = new ChatClient({ baseUrl: storing.url, apiKey: masterKey, maxRetries: 0 });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: [] });
  await chat.files.upload("room_1", Buffer.from("12345"), { name: "a.txt", type: "text/plain" });
  const text = await readMetrics(storing);
  for (const line of ["madang_storage_up 1", "madang_stored_files 1", "madang_stored_bytes 5"])
    expect(text).toContain(`${line}\n`);
  const sizeOf = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1]);
  expect(sizeOf("madang_storage_free_bytes")).toBeGreaterThan(0);
  expect(sizeOf("madang_storage_size_bytes")).toBeGreaterThan(sizeOf("madang_storage_free_bytes"));
  expect(text).toMatch(/madang_key_request_seconds_total\{key_id="master",key_label=""\} 0\.\d*[1-9]/);
  await rm(folder, { recursive: true });
  const upload = chat.files.upload("room_1", Buffer.from("1"), { name: "a.txt", type: "text/plain" });
  await expect(upload).rejects.toMatchObject({ code: "storage_unavailable" });
  const without = await readMetrics(storing);
  expect(without).toContain("madang_storage_up 0\n");
  expect(without).not.toMatch(/^madang_storage_free_bytes /m);
  expect(without).toContain('madang_rejected_requests_total{code="storage_unavailable"} 1');
  await storing.close();
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
      expect(isShown(text.replaceAll(/_count(?=[ {])/g, ""), metric, label), `${metric} ${label}`).toBe(true);
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
