/** What one request needs, in milliseconds. */
export interface Demand {
  /** Of the client, which is one process. */
  readonly loadMs: number;
  readonly nodeMs: number;
  readonly postgresMs: number;
  /** Without a processor: the disk and the network. */
  readonly waitMs: number;
}

export interface System {
  /** Clients that send one request after another. */
  readonly connections: number;
  /** Of Node. Each runs on at most one processor. */
  readonly processes: number;
  /** Database connections of all processes. */
  readonly poolSize: number;
  /** Shared by the client, Node and PostgreSQL. */
  readonly processors: number;
}

/** A place of work. A wait needs no processor. */
interface Station {
  readonly threads: number;
  readonly isWait: boolean;
  readonly queue: Job[];
  readonly running: Set<Job>;
}

interface Job {
  readonly visits: readonly { readonly station: Station; readonly ms: number }[];
  step: number;
  remainingMs: number;
}

const requests = 20_000;

/**
 * Simulates clients that each wait for their response: the requests per second of the system. A request uses the client, a
 * process, PostgreSQL and the process again. All that runs shares the processors equally, and no thread uses more than one.
 */
export function simulate(demand: Demand, { connections, processes, poolSize, processors }: System): number {
  const client = createStation(1);
  const nodes = Array.from({ length: processes }, () => createStation(1));
  const postgres = createStation(poolSize);
  const wait = createStation(Number.POSITIVE_INFINITY, true);
  const stations = [client, ...nodes, postgres, wait];
  const jobs = Array.from({ length: connections }, (_, index): Job => {
    const node = nodes[index % processes] ?? client;
    const visits = [
      { station: client, ms: demand.loadMs },
      { station: node, ms: demand.nodeMs / 2 },
      { station: postgres, ms: demand.postgresMs },
      { station: wait, ms: demand.waitMs },
      { station: node, ms: demand.nodeMs / 2 },
    ];
    return { visits, step: 0, remainingMs: 0 };
  });
  let nowMs = 0;
  let done = 0;
  for (const job of jobs) arrive(job);
  while (done < requests) {
    for (const station of stations) start(station);
    const busy = stations.filter(({ isWait }) => !isWait).reduce((sum, { running }) => sum + running.size, 0);
    const speed = Math.min(1, processors / busy);
    const all = stations.flatMap(({ running, isWait }) =>
      [...running].map((job) => ({ job, speed: isWait ? 1 : speed })),
    );
    const stepMs = Math.min(...all.map(({ job, speed }) => job.remainingMs / speed));
    nowMs += stepMs;
    for (const { job, speed } of all) {
      job.remainingMs -= stepMs * speed;
      if (job.remainingMs > tinyMs) continue;
      job.visits[job.step]?.station.running.delete(job);
      job.step = (job.step + 1) % job.visits.length;
      if (job.step === 0) done += 1;
      arrive(job);
    }
  }
  return (1_000 * done) / nowMs;
}

const tinyMs = 1e-9;

const createStation = (threads: number, isWait = false): Station => ({
  threads,
  isWait,
  queue: [],
  running: new Set(),
});

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
/** No two requests take equally long: from half to one and a half times the mean. The sequence is always the same. */
function vary(ms: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return ms * (0.5 + seed / 2_147_483_647);
}
