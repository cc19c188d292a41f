import { ServiceError } from "../errors/service-error";
import { type Client, currentClient, currentWaits } from "./client";

export interface ResourceOptions {
  /** In metrics. */
  readonly name: string;
  /** What it consists of, in an error: "database connections". */
  readonly what: string;
  readonly total: number;
  /** What users leave to keys. Default: a quarter. */
  readonly keptForKeys?: number;
  /** What all others leave to the master key. */
  readonly keptForMaster?: number;
  /** The most that one client can hold, instead of a share of what is free. */
  readonly maxOf?: (client: Client) => number;
  /**
   * An amount so small that a client which holds nothing gets it even while others hold the total. Larger ones leave some of a share to
   * those: the small requests of a client succeed beside its large ones.
   */
  readonly small?: number;
  /** Whether clients hold it by what they do not do, such as reading a response. Otherwise, they hold it while the service works. */
  readonly isHeldByClients?: boolean;
  readonly maxWaitMs?: number;
}

const defaultMaxWaitMs = 5_000;

/** How many requests of one client may wait. What the operator trusts has no limit that it would notice. */
const maxWaitingOf = { service: Number.POSITIVE_INFINITY, master: 10_000, key: 10_000, user: 64 };

/** How many times as much as it leaves free a client may hold. */
const weightOf = { master: 3, key: 3, user: 1 };
/** The part of its share that large amounts may take. */
const largePart = 0.75;

const kinds = ["service", "master", "key", "user"] as const;

/**
 * What all requests of a process share, in units: connections, or bytes. Each client has a share, and what is taken beyond waits for a
 * turn. Turns go round: first over the kinds of clients, then over the clients of a kind, so that one which waits with a single request
 * is not behind the thousand of another.
 *
 * The share of a client is a part of what is free, not of the total: a user holds at most as much as it leaves to other users, and
 * a key three times as much. So a client alone gets much, and many leave something to the next one: after n users at their
 * limits, a part of 1 / (n + 1) is free.
 */
export class Resource {
  readonly name: string;
  readonly total: number;
  readonly #options: ResourceOptions;
  readonly #ceilings: { readonly [Kind in Client["kind"]]: number };
  readonly #usedBy = { service: 0, master: 0, key: 0, user: 0 };
  readonly #held = new Map<string, number>();
  readonly #queues = {
    service: new Map<string, Queue>(),
    master: new Map<string, Queue>(),
    key: new Map<string, Queue>(),
    user: new Map<string, Queue>(),
  };
  #lastKind = 0;
  #waiting = 0;
  #rejected = 0;

  constructor(options: ResourceOptions) {
    const { name, total, keptForKeys = total / 4, keptForMaster = 0 } = options;
    this.#options = options;
    this.name = name;
    this.total = total;
    // Something is left to the others, but not all.
    const leave = (most: number, kept: number) => (most > 1 ? Math.max(1, Math.floor(most - kept)) : most);
    const key = leave(total, keptForMaster);
    this.#ceilings = { service: total, master: total, key, user: leave(key, Math.max(1, keptForKeys)) };
  }

  /** How much is in use, how many requests wait, and how many were rejected so far. */
  get state(): { readonly inUse: number; readonly waiting: number; readonly rejected: number } {
    return { inUse: this.#used, waiting: this.#waiting, rejected: this.#rejected };
  }

  /** What a client holds. */
  of({ name }: Client): number {
    return this.#held.get(name) ?? 0;
  }

  /**
   * Takes an amount when it is the client's turn. Throws `rate_limited` if the client waits with too many requests, or too long for what it
   * holds itself, and otherwise `unavailable` if it waits too long. What a request has waited before counts.
   */
  async take(
    amount = 1,
    client = currentClient(),
    maxWaitMs = this.#options.maxWaitMs ?? defaultMaxWaitMs,
  ): Promise<Hold> {
    return this.#isNext(client, amount) ? this.#grant(client, amount) : this.#wait(client, amount, maxWaitMs);
  }

  /** Takes an amount now. Undefined if the client must wait for it. */
  tryTake(amount = 1, client = currentClient()): Hold | undefined {
    if (this.#isNext(client, amount)) return this.#grant(client, amount);
    this.#rejected += 1;
    return undefined;
  }

  /** Runs work that holds one unit. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const hold = await this.take();
    try {
      return await work();
    } finally {
      hold.release();
    }
  }

  get #used(): number {
    const { service, master, key, user } = this.#usedBy;
    return service + master + key + user;
  }

  /** What is left to clients of a kind. */
  #freeFor(kind: Client["kind"]): number {
    const { key, user } = this.#usedBy;
    const free = this.total - this.#used;
    if (kind === "user") return Math.min(free, this.#ceilings.key - key - user, this.#ceilings.user - user);
    return kind === "key" ? Math.min(free, this.#ceilings.key - key - user) : free;
  }

  #mayHold(client: Client, amount: number): boolean {
    const { small = 0, maxOf } = this.#options;
    const own = this.of(client);
    const free = this.#freeFor(client.kind) - amount;
    if (maxOf !== undefined) return free >= 0 && own + amount <= maxOf(client);
    if (own === 0 || client.kind === "service") return free >= 0 || (own === 0 && amount <= small);
    const part = small === 0 || amount <= small ? 1 : largePart;
    return own + amount <= weightOf[client.kind] * part * free;
  }

  /** Whether a client may take an amount, and has no earlier request that waits. */
  #isNext(client: Client, amount: number): boolean {
    const hasWaiting = this.#waiting > 0 && this.#queues[client.kind].has(client.name);
    return !hasWaiting && this.#mayHold(client, amount);
  }

  #grant(client: Client, amount: number): Hold {
    this.#add(client, amount);
    return new Hold(amount, {
      mayAdd: (more) => this.#mayHold(client, more),
      add: (more) => {
        this.#add(client, more);
        if (more < 0) this.#serve();
      },
    });
  }

  #add(client: Client, amount: number): void {
    this.#usedBy[client.kind] += amount;
    const own = this.of(client) + amount;
    if (own === 0) this.#held.delete(client.name);
    else this.#held.set(client.name, own);
  }

  #wait(client: Client, amount: number, maxWaitMs: number): Promise<Hold> {
    const queues = this.#queues[client.kind];
    const queue = queues.get(client.name) ?? { client, waiting: [] };
    if (queue.waiting.length >= maxWaitingOf[client.kind]) return Promise.reject(this.#reject(client, true));
    const waits = currentWaits();
    waits?.begin();
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        waits?.end();
        queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
        this.#waiting -= 1;
        queues.delete(client.name);
        // Behind the others of its kind.
        if (queue.waiting.length > 0) queues.set(client.name, queue);
      };
      const grant = () => {
        end();
        resolve(this.#grant(client, amount));
      };
      const expire = () => {
        end();
        // A key that waits for work of the service waits because that is slow, for example while PostgreSQL does not respond.
        const isAnswerable = this.#options.isHeldByClients === true || client.kind === "user";
        reject(this.#reject(client, isAnswerable && this.of(client) > 0));
        // A smaller amount may have waited behind it.
        this.#serve();
      };
      const timer = setTimeout(expire, Math.min(maxWaitMs, waits?.leftMs ?? maxWaitMs));
      const waiting = { amount, grant };
      queue.waiting.push(waiting);
      queues.set(client.name, queue);
      this.#waiting += 1;
    });
  }

  /** Grants what may be taken now, in rotation. */
  #serve(): void {
    while (this.#waiting > 0 && this.#serveNext());
  }

  #serveNext(): boolean {
    for (let step = 1; step <= kinds.length; step++) {
      const index = (this.#lastKind + step) % kinds.length;
      const kind = kinds[index];
      if (kind === undefined || this.#freeFor(kind) <= 0) continue;
      for (const { client, waiting } of this.#queues[kind].values()) {
        const [first] = waiting;
        if (first === undefined || !this.#mayHold(client, first.amount)) continue;
        this.#lastKind = index;
        first.grant();
        return true;
      }
    }
    return false;
  }

  #reject({ kind }: Client, isOwn: boolean): ServiceError {
    this.#rejected += 1;
    const { what } = this.#options;
    return isOwn
      ? new ServiceError(
          "rate_limited",
          `${kind === "user" ? "This user, or this address," : "This key"} is at its limit of ${what}. Send fewer requests at the same time.`,
          { retryAfterSeconds },
        )
      : new ServiceError("unavailable", `The server is at its limit of ${what}. Try again shortly.`, {
          retryAfterSeconds,
        });
  }
}

const retryAfterSeconds = 1;

interface Waiting {
  readonly amount: number;
  readonly grant: () => void;
}

interface Queue {
  readonly client: Client;
  readonly waiting: Waiting[];
}

interface Account {
  mayAdd(amount: number): boolean;
  add(amount: number): void;
}

/** What a client has taken, until it is released. */
export class Hold {
  readonly #account: Account;
  #amount: number;
  #isReleased = false;

  constructor(amount: number, account: Account) {
    this.#amount = amount;
    this.#account = account;
  }

  get amount(): number {
    return this.#amount;
  }

  /** Counts what there really is: less than was taken, or more, which then limits what follows. */
  resize(amount: number): void {
    if (this.#isReleased || amount === this.#amount) return;
    const more = amount - this.#amount;
    this.#amount = amount;
    this.#account.add(more);
  }

  /** Takes more, if the client may now. */
  tryGrow(amount: number): boolean {
    const mayGrow = amount <= this.#amount || this.#account.mayAdd(amount - this.#amount);
    if (mayGrow) this.resize(Math.max(amount, this.#amount));
    return mayGrow;
  }

  release(): void {
    this.resize(0);
    this.#isReleased = true;
  }
}
