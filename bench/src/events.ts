import { setTimeout as sleep } from "node:timers/promises";
import { type EventListener, listenToMessages } from "./event-listener";
import { type Finding, tableOfFindings } from "./finding";
import type { Findings } from "./findings";
import { sendAtRate } from "./paced-sends";
import { residentMb } from "./processor-time";
import { quantile } from "./statistics";
import { createTarget, type Run, type Settings } from "./target";
import { createTestbed, type Testbed } from "./testbed";

/** The history does not matter here. */
const messages = 10_000;
const warmUpSeconds = 3;
const arrivalMs = 10_000;

/** Measures how soon a listener gets an event, and what many streams need. */
export async function measureEvents({ options, settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, sizes: { ...settings.sizes, messages } };
  const testbed = await createTestbed(resources, sized.sizes);
  const seconds = options.quick ? 5 : 30;
  const latency = await measureLatency(testbed, sized, seconds);
  const streams = await measureStreams(testbed, sized, seconds);
  const findings = [...latency, ...streams];
  return { tables: [tableOfFindings(findings)], notes: [], data: { findings } };
}

async function measureLatency(testbed: Testbed, settings: Settings, seconds: number): Promise<Finding[]> {
  const target = await createTarget(testbed, await testbed.startServer(), settings);
  const { server, headers } = target;
  const perSecond = 500;
  const arrivals = new Map<string, number>();
  const listener = await listenToMessages(server.url, headers, (id) => arrivals.set(id, performance.now()));
  await sendAtRate(target, perSecond, warmUpSeconds);
  const responses = await sendAtRate(target, perSecond, seconds);
  await until(() => [...responses.keys()].every((id) => arrivals.has(id)));
  listener.close();
  await server.stop();
  // An event may arrive before the response.
  const latencies = [...responses].map(([id, { at }]) => Math.max(0, (arrivals.get(id) ?? Number.NaN) - at));
  const title = `from the response to the event of a listener, ${perSecond} sends per second`;
  return [
    { title: `${title}, p50`, value: quantile(latencies, 0.5), unit: "ms", max: 30 },
    { title: `${title}, p99`, value: quantile(latencies, 0.99), unit: "ms", max: 100 },
    { title: "sends that failed", value: perSecond * seconds - responses.size, unit: "sends", max: 0 },
  ];
}

async function measureStreams(testbed: Testbed, settings: Settings, seconds: number): Promise<Finding[]> {
  const target = await createTarget(testbed, await testbed.startServer(), settings);
  const { server, headers } = target;
  const [streams, perSecond] = [1_000, 100];
  const listeners: EventListener[] = [];
  for (let index = 0; index < streams; index += 1)
    listeners.push(await listenToMessages(server.url, headers));
  let maxMb = residentMb(server.pid);
  const openedMb = maxMb;
  const timer = setInterval(() => {
    maxMb = Math.max(maxMb, residentMb(server.pid));
  }, 200);
  const { size } = await sendAtRate(target, perSecond, seconds);
  await until(() => listeners.every((listener) => listener.count() >= size));
  clearInterval(timer);
  const incomplete = listeners.filter((listener) => listener.count() < size).length;
  for (const listener of listeners) listener.close();
  await server.stop();
  const title = `resident set with ${streams.toLocaleString("en-US")} streams`;
  return [
    { title: `${title}, before the first event`, value: openedMb, unit: "MB" },
    { title: `${title} and ${perSecond} events per second, maximum`, value: maxMb, unit: "MB", max: 300 },
    { title: "streams that did not get every event", value: incomplete, unit: "streams", max: 0 },
  ];
}

async function until(isDone: () => boolean): Promise<void> {
  for (const deadline = performance.now() + arrivalMs; !isDone() && performance.now() < deadline; )
    await sleep(50);
}
