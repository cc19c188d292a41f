import { AsyncLocalStorage } from "node:async_hooks";
import type { Waits } from "./waits";

/**
 * For whom work runs: the service itself, the master key, a sub key, or a user. Users are those with a token or a key of their
 * own, and the network addresses of requests without a key: there may be any number of them, and the operator trusts none.
 */
export interface Client {
  readonly kind: "service" | "master" | "key" | "user";
  /** Equal for requests of the same client. */
  readonly name: string;
}

const service: Client = { kind: "service", name: "service" };

/** For whom the code runs now. */
interface Running {
  readonly client: Client;
  /** The limit of all waits of the request. The background has none. */
  readonly waits: Waits | undefined;
  /** The request as log lines name it. It is called when there is one: the caller is known later. */
  readonly describeRequest: () => object;
}

const background: Running = { client: service, waits: undefined, describeRequest: () => ({}) };

const running = new AsyncLocalStorage<Running>();

const current = (): Running => running.getStore() ?? background;

/** The client of the request for which the code runs now. In the background, it is the service itself. */
export const currentClient = (): Client => current().client;

/** The limit of all waits of the request for which the code runs now. The background has none. */
export const currentWaits = (): Waits | undefined => current().waits;

/** The request for which the code runs now, as log lines name it. Empty in the background; of a batch, it is the request that began it. */
export const describeCurrentRequest = (): object => current().describeRequest();

export const runRequest = <Result>(request: Running, work: () => Result): Result =>
  running.run(request, work);

/** Runs a part of a request for a client. */
export const runAs = <Result>(client: Client, work: () => Result, waits = currentWaits()): Result =>
  running.run({ ...current(), client, waits }, work);

/**
 * Runs work that several clients wait for, such as a batch, or that outlives the request which started it. It takes its turn before all
 * of them: in the turn of one, the others would wait for what that one has taken.
 */
export const runAsService = <Result>(work: () => Result): Result =>
  running.run({ ...current(), client: service, waits: undefined }, work);

/** The first one of each client, then the second of each, and so on. Those of one client stay in their order. */
export function* inRotation<Item>(items: readonly Item[], clientOf: (item: Item) => string): Generator<Item> {
  let queues = [...Map.groupBy(items, clientOf).values()].map((queue) => queue.values());
  while (queues.length > 0)
    for (const queue of queues) {
      const next = queue.next();
      if (next.done) queues = queues.filter((other) => other !== queue);
      else yield next.value;
    }
}
