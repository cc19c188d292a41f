/** What a send needs, in milliseconds. */
export interface Demand {
  /** Of the clients, which are one process. */
  readonly loadMs: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** The flush of the log, which needs no processor. */
  readonly flushMs: number;
  readonly numbering: Numbering;
}

/** What it takes to number new events once, which one process does about 20 ms after the time before. */
export interface Numbering {
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Of each process: all of them are notified. */
  readonly notifiedMs: number;
}

export interface System {
  /** Each sends one message after another. */
  readonly clients: number;
  /** Of Node. Each runs on at most one processor. */
  readonly processes: number;
  /** Database connections of all processes. */
  readonly poolSize: number;
  /** Shared by the clients, Node and PostgreSQL. */
  readonly processors: number;
}

/** Where jobs wait for each other. `isWait`: it needs no processor. */
interface Station {
  readonly threads: number;
  readonly isWait: boolean;
  readonly queue: Job[];
  readonly running: Set<Job>;
}

interface Job {
  readonly kind: "send" | "number" | "notify";
  readonly visits: readonly Visit[];
  step: number;
  remainingMs: number;
}

interface Visit {
  readonly station: Station;
  readonly ms: number;
  /** Jobs that it starts, unless they wait already: a process handles several notifications together. */
  readonly notifies?: readonly Job[];
}

/** The simulated time must have as many sends, and be long compared with the pause between two numberings. */
const minSends = 10_000;
const minMs = 300;
/** As in the server's `feed.ts`. */
const numberingPauseMs = 20;

/**
 * Simulates clients that each wait for their response: the sends per second of the system. A send uses the client, a
 * process, PostgreSQL and the process again. All that runs shares the processors equally, and no thread uses more than one.
 */
export function simulate(demand: Demand, system: System): number {
  const stations = createStations(system);
  const jobs = [...createSends(demand, system, stations), ...createNumbering(demand, stations)];
  const all = [...stations.nodes, stations.client, stations.postgres, stations.chain, stations.wait];
  let nowMs = 0;
  let done = 0;
  for (const job of jobs) arrive(job);
  while (done < minSends || nowMs < minMs) {
    for (const station of all) start(station);
    const busy = all.reduce((sum, { isWait, running }) => sum + (isWait ? 0 : running.size), 0);
    const speed = Math.min(1, system.processors / busy);
    let stepMs = Number.POSITIVE_INFINITY;
    for (const { running, isWait } of all)
      for (const job of running) stepMs = Math.min(stepMs, job.remainingMs / (isWait ? 1 : speed));
    nowMs += stepMs;
    for (const { running, isWait } of all)
      for (const job of running) {
        job.remainingMs -= stepMs * (isWait ? 1 : speed);
        if (job.remainingMs > tinyMs) continue;
        running.delete(job);
        job.visits[job.step]?.notifies?.forEach(notify);
        job.step = (job.step + 1) % job.visits.length;
        if (job.step === 0 && job.kind === "send") done += 1;
        if (job.kind !== "notify") arrive(job);
      }
  }
  return (1_000 * done) / nowMs;
}

const tinyMs = 1e-9;

function createStations({ processes, poolSize }: System) {
  const create = (threads: number, isWait = false): Station => ({
    threads,
    isWait,
    queue: [],
    running: new Set(),
  });
  return {
    client: create(1),
    nodes: Array.from({ length: processes }, () => create(1)),
    postgres: create(poolSize),
    /** Numbers follow each other: one commit at a time. */
    chain: create(1, true),
    wait: create(Number.POSITIVE_INFINITY, true),
  };
}

type Stations = ReturnType<typeof createStations>;

function createSends(
  demand: Demand,
  { clients }: System,
  { client, nodes, postgres, wait }: Stations,
): Job[] {
  return Array.from({ length: clients }, (_, index) => {
    const node = nodes[index % nodes.length] ?? client;
    return createJob("send", [
      { station: client, ms: demand.loadMs },
      { station: node, ms: demand.nodeMs / 2 },
      { station: postgres, ms: demand.postgresMs },
      { station: wait, ms: demand.flushMs },
      { station: node, ms: demand.nodeMs / 2 },
    ]);
  });
}

function createNumbering({ numbering, flushMs }: Demand, { nodes, postgres, chain, wait }: Stations): Job[] {
  const notifies = nodes.map((station) => createJob("notify", [{ station, ms: numbering.notifiedMs }]));
  // Of several processes, one numbers the events of all.
  return nodes.slice(0, 1).map((node) =>
    createJob("number", [
      { station: wait, ms: numberingPauseMs },
      { station: node, ms: numbering.nodeMs },
      { station: postgres, ms: numbering.postgresMs },
      { station: chain, ms: flushMs, notifies },
    ]),
  );
}

const createJob = (kind: Job["kind"], visits: readonly Visit[]): Job => ({
  kind,
  visits,
  step: 0,
  remainingMs: 0,
});

function notify(job: Job): void {
  if (job.visits.every(({ station }) => !station.queue.includes(job) && !station.running.has(job)))
    arrive(job);
}

function arrive(job: Job): void {
  job.visits[job.step]?.station.queue.push(job);
}

function start({ threads, queue, running }: Station): void {
  while (running.size < threads) {
    const job = queue.shift();
    if (job === undefined) return;
    job.remainingMs = vary(job.visits[job.step]?.ms ?? 0);
    running.add(job);
  }
}

let seed = 1;
/** No two jobs take equally long: from half to one and a half times the mean. The sequence is always the same. */
function vary(ms: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return ms * (0.5 + seed / 2_147_483_647);
}
