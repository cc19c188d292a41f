import { ChatClient, type ChatError, type ClientOptions, isChatError } from "../src/index";
import type { Received } from "./wire";

/** The tools of a case. They use only web APIs, so a case runs on every runtime. */
export interface Tools {
  client(script: string, options?: Partial<ClientOptions>): ChatClient;
  /** The requests that the server has received. */
  received(): Promise<Received[]>;
}

export interface Case {
  readonly name: string;
  run(tools: Tools): Promise<void>;
}

export const key = "sk_very_secret_key";
let runs = 0;

/** Runs one case against the server at a URL. Throws if the case fails. */
export async function runCase({ run }: Case, server: string): Promise<void> {
  const id = `${Date.now()}-${++runs}`;
  await run({
    client: (script, options) =>
      new ChatClient({ baseUrl: `${server}/${script}/${id}`, apiKey: key, ...options }),
    received: async () => (await fetch(`${server}/log/${id}`)).json() as Promise<Received[]>,
  });
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  const [actualJson, expectedJson] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (actualJson !== expectedJson) throw new Error(`${what}: expected ${expectedJson}, got ${actualJson}`);
}

export function assert(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

export async function failure(call: PromiseLike<unknown>, expected: Partial<ChatError>): Promise<ChatError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert(isChatError(error), `expected an error of the SDK, got ${error}`);
  const found = error as ChatError;
  for (const [name, value] of Object.entries(expected))
    equal(found[name as keyof ChatError], value, `${name} of "${found.message}"`);
  return found;
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error: unknown }> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
  } catch (error) {
    return { items: all, error };
  }
  return { items: all, error: undefined };
}

export async function requests(tools: Tools, expected: number): Promise<Received[]> {
  const received = await tools.received();
  equal(received.length, expected, "number of requests");
  return received;
}

export const get = (chat: ChatClient) => chat.users.get("kim_01");
export const create = (chat: ChatClient) => chat.users.create({ user_id: "kim_01", name: "Kim" });
export const remove = (chat: ChatClient) => chat.users.delete("kim_01");
export const quick = { timeoutMs: 1_000 };
/** Failures to reach the server count as all others do. */
export const brief = { maxDowntimeMs: 0 };
export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A call that must fail with the expected error after `count` requests. */
export function failing(
  name: string,
  script: string,
  call: (chat: ChatClient) => Promise<unknown>,
  expected: Partial<ChatError>,
  count: number,
  options?: Partial<ClientOptions>,
): Case {
  return {
    name: `${name}: ${expected.kind ?? expected.status} after ${count}`,
    async run(tools) {
      await failure(call(tools.client(script, options)), expected);
      await requests(tools, count);
    },
  };
}

/** A call that must succeed after `count` requests. */
export function passing(
  name: string,
  script: string,
  call: (chat: ChatClient) => Promise<unknown>,
  count: number,
  options?: Partial<ClientOptions>,
): Case {
  return {
    name: `${name}: succeeds after ${count}`,
    async run(tools) {
      await call(tools.client(script, options));
      await requests(tools, count);
    },
  };
}
