import type { OperationId } from "@madang/contract";
import { ServiceError } from "../../errors/service-error";
import type { Handler } from "../handler";
import { localsOf } from "../locals";
import { callerNameOf, isUser, KeyShares } from "./key-shares";

const maxWaitMs = 5_000;

/**
 * Lets at most `max` pieces of work run at once, and at most `maxPerKey` of one key, or `maxPerUser` of one user. The others wait for
 * their turn, in order.
 */
export class Turns {
  readonly #running = new KeyShares();
  readonly #waiting: { readonly key: string; readonly start: () => void }[] = [];
  readonly #max: number;
  readonly #maxPerKey: number;
  readonly #maxPerUser: number;
  readonly #what: string;

  constructor({
    max,
    maxPerKey = max,
    maxPerUser = maxPerKey,
    what,
  }: {
    max: number;
    maxPerKey?: number;
    maxPerUser?: number;
    what: string;
  }) {
    this.#max = max;
    this.#maxPerKey = maxPerKey;
    this.#maxPerUser = maxPerUser;
    this.#what = what;
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#take(key);
    try {
      return await work();
    } finally {
      this.#running.add(key, -1);
      this.#startNext();
    }
  }

  #mayRun(key: string): boolean {
    const maxOfKey = isUser(key) ? this.#maxPerUser : this.#maxPerKey;
    return this.#running.total < this.#max && this.#running.of(key) < maxOfKey;
  }

  #take(key: string): Promise<void> {
    if (this.#mayRun(key)) {
      this.#running.add(key, 1);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.#running.add(key, 1);
        resolve();
      };
      const turn = { key, start };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1);
        reject(new ServiceError("unavailable", `Too many ${this.#what} are running. Try again shortly.`));
      }, maxWaitMs);
      this.#waiting.push(turn);
    });
  }

  #startNext(): void {
    const index = this.#waiting.findIndex(({ key }) => this.#mayRun(key));
    if (index >= 0) this.#waiting.splice(index, 1)[0]?.start();
  }
}

/** For reads of pages: half of the connections are for other requests, and about half of the rest for other keys. */
export function createPageTurns(maxConnections: number): Turns {
  const max = Math.max(1, Math.floor(maxConnections / 2));
  return new Turns({ max, maxPerKey: Math.ceil(max / 2), what: "reads of large pages" });
}

/** Lists of events and inboxes take turns only while they read. Searches have turns of their own. */
const largePages: ReadonlySet<string> = new Set<OperationId>([
  "exports.messages",
  "messages.list",
  "messages.replies",
  "channels.pins",
  "privacy.export",
]);

/** Wraps a handler so that it waits for its turn if it reads a large page. */
export function takeTurns(turns: Turns, handler: Handler): Handler {
  return (call) =>
    largePages.has(localsOf(call.res).operation?.id ?? "")
      ? turns.run(callerNameOf(call.res), () => handler(call))
      : handler(call);
}
