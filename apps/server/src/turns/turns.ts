import { ServiceError } from "../errors/service-error";
import { KeyShares } from "./key-shares";

const maxWaitMs = 5_000;

/** Lets at most `max` pieces of work run at once, and at most `maxOf(key)` of one key. The others wait for their turn, in order. */
export class Turns {
  readonly #running = new KeyShares();
  readonly #waiting: { readonly key: string; readonly start: () => void }[] = [];
  readonly #max: number;
  readonly #maxOf: (key: string) => number;
  readonly #what: string;

  constructor({
    max,
    maxOf = () => max,
    what,
  }: { max: number; maxOf?: (key: string) => number; what: string }) {
    this.#max = max;
    this.#maxOf = maxOf;
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
    return this.#running.total < this.#max && this.#running.of(key) < this.#maxOf(key);
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
