import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Finding, tableOfFindings } from "../results/finding";
import type { Findings } from "../results/findings";
import { processorTimeMs, totalProcessorTimeMs } from "../results/processor-time";
import { quantile } from "../results/statistics";
import { channelIdAt, memberOf, userIdAt } from "../servers/dataset";
import { createTarget, type Run, type Settings, type Target } from "../servers/target";
import { createTestbed } from "../servers/testbed";

const writers = 100;
const perSecond = 50;
/** What a model writes at once: a few letters. */
const word = "streaming ";
const signalsPerSecond = 1_000;

/** Measures messages that are written while people read, the same by edits, and signals. */
export async function measureStreaming({ options, settings, resources }: Run): Promise<Findings> {
  const sized: Settings = { ...settings, sizes: { ...settings.sizes, messages: 10_000 } };
  const testbed = await createTestbed(resources, sized.sizes);
  const target = await createTarget(testbed, await testbed.startServer(), sized);
  const seconds = options.quick ? 5 : 20;
  const agent = new Agent({ keepAlive: true, maxSockets: writers });
  await appendAll(target, agent, 2);
  const appended = await appendAll(target, agent, seconds);
  await editAll(target, agent, 1);
  const edited = await editAll(target, agent, seconds);
  const signals = await signalAll(target, agent, seconds);
  agent.destroy();
  await target.server.stop();
  const title = `${writers} writers, ${perSecond} appends a second each`;
  const findings: Finding[] = [
    { title: `${title}: stored a second`, value: appended.perSecond, unit: "appends" },
    { title: `${title}: the response, p99`, value: quantile(appended.tookMs, 0.99), unit: "ms" },
    { title: `${title}: from it to the listener, p50`, value: quantile(appended.latencies, 0.5), unit: "ms" },
    {
      title: `${title}: from it to the listener, p99`,
      value: quantile(appended.latencies, 0.99),
      unit: "ms",
      max: 250,
    },
    { title: "appends that the listener did not get", value: appended.missing, unit: "appends", max: 0 },
    { title: "processor time of an append, with the listener", value: appended.processorUs, unit: "µs" },
    { title: "processor time of an edit with the text so far", value: edited.processorUs, unit: "µs" },
    {
      title: "an append, of an edit",
      value: (100 * appended.processorUs) / edited.processorUs,
      unit: "%",
      max: 20,
    },
    {
      title: `${signalsPerSecond} signals a second: from the response to the listener, p99`,
      value: quantile(signals.latencies, 0.99),
      unit: "ms",
      max: 250,
    },
    { title: "signals that the listener did not get", value: signals.missing, unit: "signals", max: 0 },
    { title: "processor time of a signal, with the listener", value: signals.processorUs, unit: "µs" },
  ];
  return { tables: [tableOfFindings(findings)], notes: [], data: { findings } };
}

interface Measured {
  readonly perSecond: number;
  /** From the response to the arrival, in milliseconds. An arrival before the response counts as 0. */
  readonly latencies: readonly number[];
  readonly tookMs: readonly number[];
  /** What the listener did not get within some seconds. */
  readonly missing: number;
  /** Of the server and PostgreSQL, for each request, in microseconds. */
  readonly processorUs: number;
}

/** What is sent, and how the listener recognizes it. */
interface Load {
  readonly types: string;
  /** The keys of what an event has. */
  keysOf(event: {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>>;
  }): readonly string[];
  /** Sends the next request of a writer. Returns its key. */
  send(writer: number, index: number): Promise<string>;
}

const arrivalMs = 5_000;

/** Runs writers, each with a number of requests a second, however long the responses take. */
async function run(target: Target, load: Load, requests: number, rate: number): Promise<Measured> {
  const arrivals = new Map<string, number>();
  const listener = await listen(target, load, (key) => arrivals.set(key, performance.now()));
  const responses = new Map<string, { at: number; tookMs: number }>();
  const clock = () => processorTimeMs(target.server.pid) + totalProcessorTimeMs(target.testbed.postgresPids);
  const before = clock();
  const startedAt = performance.now();
  const write = async (writer: number) => {
    for (let index = 0; index < requests; index += 1) {
      const dueAt = startedAt + ((index + writer / writers) * 1_000) / rate;
      if (dueAt > performance.now()) await sleep(dueAt - performance.now());
      const sentAt = performance.now();
      const key = await load.send(writer, index);
      const at = performance.now();
      responses.set(key, { at, tookMs: at - sentAt });
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const until = performance.now() + arrivalMs; performance.now() < until; await sleep(20))
    if ([...responses.keys()].every((key) => arrivals.has(key))) break;
  const processorMs = clock() - before;
  listener.close();
  const all = [...responses];
  return {
    perSecond: all.length / seconds,
    latencies: all.flatMap(([key, { at }]) => {
      const arrivedAt = arrivals.get(key);
      return arrivedAt === undefined ? [] : Math.max(0, arrivedAt - at);
    }),
    tookMs: all.map(([, { tookMs }]) => tookMs),
    missing: all.filter(([key]) => !arrivals.has(key)).length,
    processorUs: (1_000 * processorMs) / all.length,
  };
}

async function appendAll(target: Target, agent: Agent, seconds: number): Promise<Measured> {
  const paths = await begin(target, agent, true);
  const load: Load = {
    types: "message.appended",
    keysOf: ({ data: { message_id, index, contents } }) =>
      (Array.isArray(contents) ? contents : []).map((_, offset) => `${message_id} ${Number(index) + offset}`),
    async send(writer, index) {
      const { path, id } = pathAt(paths, writer);
      await call(target, agent, "POST", `${path}/append`, { index, content: word });
      return `${id} ${index}`;
    },
  };
  const measured = await run(target, load, seconds * perSecond, perSecond);
  for (const { path } of paths) await call(target, agent, "PUT", `${path}/finish`, { state: "done" });
  return measured;
}

/** One edit for each ten appends, so that the machine keeps up: their texts have the same lengths as those of all. */
async function editAll(target: Target, agent: Agent, seconds: number): Promise<Measured> {
  const paths = await begin(target, agent, false);
  const step = 10;
  const load: Load = {
    types: "message.updated",
    keysOf: ({ data: { message } }) => {
      const { message_id, content } = Object(message);
      return [`${message_id} ${String(content).length}`];
    },
    async send(writer, index) {
      const { path, id } = pathAt(paths, writer);
      const content = word.repeat(index * step + 1);
      await call(target, agent, "PUT", path, { content });
      return `${id} ${content.length}`;
    },
  };
  return run(target, load, (seconds * perSecond) / step, perSecond / step);
}

async function signalAll(target: Target, agent: Agent, seconds: number): Promise<Measured> {
  const rate = signalsPerSecond / writers;
  const load: Load = {
    types: "signal",
    keysOf: ({ data: { data } }) => [String(Object(data).key)],
    async send(writer) {
      const key = randomUUID();
      const body = { user_id: senderOf(target, writer), type: "typing", data: { key } };
      await call(target, agent, "POST", `/v1/group/channels/${channelOf(writer)}/signals`, body);
      return key;
    },
  };
  return run(target, load, seconds * rate, rate);
}

interface MessagePath {
  readonly id: string;
  readonly path: string;
}

const channelOf = (writer: number) => channelIdAt(writer + 1);
const senderOf = ({ settings }: Target, writer: number) => userIdAt(memberOf(writer + 1, 0, settings.sizes));

/** Sends a message of each writer, in a channel of its own. */
async function begin(target: Target, agent: Agent, streaming: boolean): Promise<MessagePath[]> {
  const paths: MessagePath[] = [];
  for (let writer = 0; writer < writers; writer += 1) {
    const path = `/v1/group/channels/${channelOf(writer)}/messages`;
    const content = streaming ? {} : { content: word };
    const body = { user_id: senderOf(target, writer), type: "text", ...content, streaming };
    const { message_id: id } = JSON.parse(await call(target, agent, "POST", path, body));
    paths.push({ id, path: `${path}/${id}` });
  }
  return paths;
}

function pathAt(paths: readonly MessagePath[], writer: number): MessagePath {
  const path = paths[writer];
  if (path === undefined) throw new Error(`The writer ${writer} has no message.`);
  return path;
}

/** Sends a request over a kept connection, and returns the body of the response. */
function call(
  { server, headers }: Target,
  agent: Agent,
  method: string,
  path: string,
  body: object,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, "content-type": "application/json" };
    const sending = request(server.url + path, { method, agent, headers: sent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(text);
        else reject(new Error(`${method} ${path} got ${response.statusCode}: ${text}`));
      });
    });
    sending.once("error", reject).end(JSON.stringify(body));
  });
}

function listen(
  { server, headers }: Target,
  load: Load,
  onKey: (key: string) => void,
): Promise<{ close(): void }> {
  const url = `${server.url}/v1/events/stream?live=true&after=latest&types=${load.types}`;
  return new Promise((resolve, reject) => {
    const opening = request(url, { headers, agent: new Agent() }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`The stream got ${response.statusCode}.`));
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines)
          if (line.startsWith("data: ")) for (const key of load.keysOf(JSON.parse(line.slice(6)))) onKey(key);
      });
      resolve({ close: () => response.destroy() });
    });
    opening.once("error", reject).end();
  });
}
