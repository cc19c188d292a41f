import { setTimeout as sleep } from "node:timers/promises";
import { sendAtRate } from "../load/paced-sends";
import { pick } from "../operations/operation";
import { type Finding, tableOfFindings } from "../results/finding";
import type { Findings } from "../results/findings";
import { residentMb } from "../results/processor-time";
import { quantile } from "../results/statistics";
import { memberOf, membersPerChannel, userIdAt } from "../servers/dataset";
import { createTarget, type Run, type Settings } from "../servers/target";
import { createTestbed, masterHeaders, type Testbed } from "../servers/testbed";
import { createToken, type EventListener, listenToMessages } from "./event-listener";

/** The history does not matter here. */
const messages = 10_000;
const warmUpSeconds = 3;
const arrivalMs = 10_000;

/** Measures how soon a listener gets an event, and what many streams need, of a key and of users. */
export async function measureEvents({ options, settings, resources }: Run): Promise<Findings> {
  const sized = { ...settings, sizes: { ...settings.sizes, messages } };
  const testbed = await createTestbed(resources, sized.sizes);
  const seconds = options.quick ? 5 : 30;
  const latency = await measureLatency(testbed, sized, seconds);
  const { maxMb, findings: streams } = await measureStreams(testbed, sized, seconds);
  const findings = [...latency, ...streams, ...(await measurePages(testbed, sized, seconds, maxMb))];
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

const [streams, perSecond] = [1_000, 100];

/** Streams of the master key, the only one that may have so many: each gets every event. */
async function measureStreams(testbed: Testbed, settings: Settings, seconds: number) {
  const target = await createTarget(testbed, await testbed.startServer(), settings);
  const { server } = target;
  const listeners: EventListener[] = [];
  for (let index = 0; index < streams; index += 1)
    listeners.push(await listenToMessages(server.url, masterHeaders));
  const openedMb = residentMb(server.pid);
  const memory = watchMemory(server.pid);
  const { size } = await sendAtRate(target, perSecond, seconds);
  await until(() => listeners.every((listener) => listener.count() >= size));
  const maxMb = memory.stop();
  const incomplete = listeners.filter((listener) => listener.count() < size).length;
  for (const listener of listeners) listener.close();
  await server.stop();
  const title = `resident set with ${streams.toLocaleString("en-US")} streams`;
  const findings: Finding[] = [
    { title: `${title}, before the first event`, value: openedMb, unit: "MB" },
    { title: `${title} and ${perSecond} events per second, maximum`, value: maxMb, unit: "MB", max: 300 },
    { title: "streams that did not get every event", value: incomplete, unit: "streams", max: 0 },
  ];
  return { maxMb, findings };
}

/**
 * Streams of as many users, each with a token, as pages open them: the members of channels in which all messages are sent.
 * They may need a fifth more memory than those of the key.
 */
async function measurePages(
  testbed: Testbed,
  settings: Settings,
  seconds: number,
  mbOfKey: number,
): Promise<Finding[]> {
  // No user is in two of so many channels.
  const sizes = { ...settings.sizes, channels: streams / membersPerChannel };
  const target = await createTarget(testbed, await testbed.startServer(), { ...settings, sizes });
  const { server, headers } = target;
  const arrivals = new Map<string, number[]>();
  const pages: EventListener[] = [];
  for (let index = 0; index < streams; index += 1) {
    const channel = pick(Math.floor(index / membersPerChannel), sizes.channels);
    const userId = userIdAt(memberOf(channel, index % membersPerChannel, sizes));
    const ofUser = { authorization: `Bearer ${await createToken(server.url, headers, userId)}` };
    const onMessage = (id: string) => {
      const times = arrivals.get(id) ?? [];
      times.push(performance.now());
      arrivals.set(id, times);
    };
    pages.push(await listenToMessages(server.url, ofUser, onMessage));
  }
  const memory = watchMemory(server.pid);
  const responses = await sendAtRate(target, perSecond, seconds);
  const expected = responses.size * membersPerChannel;
  const arrived = () => pages.reduce((sum, page) => sum + page.count(), 0);
  await until(() => arrived() >= expected);
  const maxMb = memory.stop();
  for (const page of pages) page.close();
  await server.stop();
  const latencies = [...responses].flatMap(([id, { at }]) =>
    (arrivals.get(id) ?? []).map((time) => Math.max(0, time - at)),
  );
  const title = `${streams.toLocaleString("en-US")} pages with tokens, ${perSecond} sends per second in ${sizes.channels} channels`;
  return [
    { title: `${title}: from the response to the page, p50`, value: quantile(latencies, 0.5), unit: "ms" },
    {
      title: `${title}: from the response to the page, p99`,
      value: quantile(latencies, 0.99),
      unit: "ms",
      max: 250,
    },
    { title: `${title}: resident set, maximum`, value: maxMb, unit: "MB", max: Math.round(1.2 * mbOfKey) },
    { title: "events that a page did not get", value: expected - arrived(), unit: "events", max: 0 },
    { title: "sends that failed", value: perSecond * seconds - responses.size, unit: "sends", max: 0 },
  ];
}

/** Reads the resident set of a process until it is stopped, which returns the maximum, in MB. */
function watchMemory(pid: number): { stop(): number } {
  let maxMb = 0;
  const read = () => {
    maxMb = Math.max(maxMb, residentMb(pid));
  };
  const timer = setInterval(read, 200);
  return {
    stop() {
      clearInterval(timer);
      read();
      return maxMb;
    },
  };
}

async function until(isDone: () => boolean): Promise<void> {
  for (const deadline = performance.now() + arrivalMs; !isDone() && performance.now() < deadline; )
    await sleep(50);
}
