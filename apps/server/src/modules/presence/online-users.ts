import type { Logger } from "pino";
import type { Db } from "../../db/db";
import type { ActingUser } from "../../security/acting-user";
import { runAsService } from "../../turns/client";
import {
  addOnlineUsers,
  createLease,
  endLeases,
  leaveMs,
  removeOnlineUsers,
  renewLease,
  renewMs,
  shortenLease,
} from "./online-store";

type User = Pick<ActingUser, "userId" | "userPk">;

interface OnlineUser extends User {
  /** How many of its clients wait for events. */
  clients: number;
  /** Runs while there are none. */
  leaving: NodeJS.Timeout | undefined;
}

interface OnlineDeps {
  readonly db: Db;
  readonly processId: string;
  readonly storesLastSeen: boolean;
  /** Called with the users whose presence may have changed. */
  readonly announce: (userIds: readonly string[]) => void;
  /** Whether a client of this process gets the presence of others. */
  readonly isWatched: () => boolean;
  readonly logger: Pick<Logger, "warn">;
}

/** Changes within this time share statements. */
const pauseMs = 50;
const retryMs = 1_000;
/** How often the leases of other processes are checked. */
const checkMs = 3_000;
/** The same for a process without users and followers. */
const idleCheckMs = 60_000;

/** The users of the clients that wait for events at this process. They are online by its lease. */
export class OnlineUsers {
  readonly #deps: OnlineDeps;
  readonly #users = new Map<number, OnlineUser>();
  /** Users to enter and to remove with the next statements. */
  #added = new Map<number, User>();
  #removed = new Map<number, User>();
  #timer: NodeJS.Timeout | undefined;
  readonly #check: NodeJS.Timeout;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The statements run one after the other. */
  #working = Promise.resolve();
  #isClosed = false;

  constructor(deps: OnlineDeps) {
    this.#deps = deps;
    this.#check = setInterval(() => this.#run(() => this.#keepLeases()), checkMs);
  }

  get size(): number {
    return this.#users.size;
  }

  /** A client of a user waits for events, until the returned function is called. */
  enter({ userId, userPk }: User): () => void {
    const user = this.#users.get(userPk) ?? { userId, userPk, clients: 0, leaving: undefined };
    if (!this.#users.has(userPk)) {
      this.#users.set(userPk, user);
      this.#removed.delete(userPk);
      this.#change(this.#added, user);
    }
    clearTimeout(user.leaving);
    user.clients += 1;
    return () => {
      user.clients -= 1;
      if (user.clients > 0 || this.#isClosed) return;
      user.leaving = setTimeout(() => this.#leave(user), leaveMs);
    };
  }

  /** The clients have left, or will at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#check);
    for (const { leaving } of this.#users.values()) clearTimeout(leaving);
    await this.#run(() => shortenLease(this.#deps.db, this.#deps.processId));
  }

  #leave(user: OnlineUser): void {
    this.#users.delete(user.userPk);
    // It may already be stored: a statement may be committed although its connection broke.
    this.#added.delete(user.userPk);
    this.#change(this.#removed, user);
  }

  #change(users: Map<number, User>, user: User, delayMs = pauseMs): void {
    users.set(user.userPk, user);
    if (!this.#isClosed) this.#timer ??= setTimeout(() => this.#run(() => this.#store()), delayMs);
  }

  #run(work: () => Promise<void>): Promise<void> {
    this.#working = this.#working.then(() =>
      runAsService(work).catch((error: unknown) =>
        this.#deps.logger.warn({ err: error }, "presence could not be stored"),
      ),
    );
    return this.#working;
  }

  async #store(): Promise<void> {
    const { db, processId, storesLastSeen, announce } = this.#deps;
    this.#timer = undefined;
    const [added, removed] = [this.#added, this.#removed];
    this.#added = new Map();
    this.#removed = new Map();
    try {
      if (added.size > 0) await this.#add([...added.keys()]);
      if (removed.size > 0) await removeOnlineUsers(db, processId, [...removed.keys()], storesLastSeen);
    } catch (error) {
      // Users may have changed meanwhile. Storing a change twice has no effect.
      for (const user of added.values())
        if (this.#users.has(user.userPk)) this.#change(this.#added, user, retryMs);
      for (const user of removed.values())
        if (!this.#users.has(user.userPk)) this.#change(this.#removed, user, retryMs);
      throw error;
    }
    announce([...added.values(), ...removed.values()].map(({ userId }) => userId));
  }

  async #add(userPks: readonly number[]): Promise<void> {
    const { db, processId } = this.#deps;
    if (performance.now() - this.#renewedAt < renewMs && (await addOnlineUsers(db, processId, userPks)))
      return;
    // Its lease may have ended while it had no users.
    await this.#renew();
    await addOnlineUsers(db, processId, userPks);
  }

  /** A process that could not renew its lease in time, or whose database was restarted, enters its users again. */
  async #renew(): Promise<void> {
    const { db, processId } = this.#deps;
    const startedAt = performance.now();
    if (!(await renewLease(db, processId))) {
      await createLease(db, processId);
      await addOnlineUsers(db, processId, [...this.#users.keys()]);
      this.#deps.announce([...this.#users.values()].map(({ userId }) => userId));
    }
    this.#renewedAt = startedAt;
  }

  async #keepLeases(): Promise<void> {
    const { db, storesLastSeen, announce, isWatched } = this.#deps;
    const now = performance.now();
    const isIdle = this.#users.size === 0 && !isWatched();
    if (isIdle && now - this.#checkedAt < idleCheckMs) return;
    this.#checkedAt = now;
    if (this.#users.size > 0 && now - this.#renewedAt > renewMs - checkMs) await this.#renew();
    announce(await endLeases(db, storesLastSeen));
  }
}
