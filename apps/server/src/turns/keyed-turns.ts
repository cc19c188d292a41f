import { Resource, type ResourceOptions } from "./resource";

/** How much of the writes of one channel runs at once: a user has one at a time, and a key three. */
const turnsOfOne = 4;

/**
 * Lets the writes of one channel take turns before each takes a connection. They would wait for its row one after the other anyway,
 * each with a connection that others need.
 */
export class KeyedTurns {
  readonly name: string;
  readonly #options: ResourceOptions;
  readonly #resources = new Map<string, Resource>();
  #rejected = 0;

  constructor({ name, what, maxWaitMs }: Pick<ResourceOptions, "name" | "what" | "maxWaitMs">) {
    this.name = name;
    this.#options = { name, what, total: turnsOfOne, ...(maxWaitMs !== undefined && { maxWaitMs }) };
  }

  get state(): Resource["state"] {
    const states = [...this.#resources.values()].map(({ state }) => state);
    return {
      inUse: states.reduce((sum, { inUse }) => sum + inUse, 0),
      waiting: states.reduce((sum, { waiting }) => sum + waiting, 0),
      rejected: states.reduce((sum, { rejected }) => sum + rejected, this.#rejected),
    };
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const resource = this.#resources.get(key) ?? new Resource(this.#options);
    this.#resources.set(key, resource);
    try {
      return await resource.run(work);
    } finally {
      const { inUse, waiting, rejected } = resource.state;
      // Another one may have been made meanwhile, for requests that are not over.
      const isCurrent = this.#resources.get(key) === resource;
      if (inUse === 0 && waiting === 0 && isCurrent) {
        this.#resources.delete(key);
        this.#rejected += rejected;
      }
    }
  }
}
