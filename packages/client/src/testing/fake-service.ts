import type { Operation } from "../error-codes";
import type { Fetch, FetchInit } from "../platform";
import { type Fault, readFaulty } from "./faults";
import type { Accepted } from "./handler";
import { handlers } from "./handlers";
import { Refusal } from "./refuse";
import { findRoute, isSchema, type Routed } from "./routing";
import { World } from "./world";

export interface FakeOptions {
  /** What the clock shows first, in milliseconds. Default: the start of 2024, UTC. */
  readonly now?: number;
  /** The master key. Default `master_key`. */
  readonly apiKey?: string;
  /** What a list of users is answered with: pages with a cursor, or bare arrays by reference user. */
  readonly userList?: "cursor" | "reference";
}

/** A request as the fake received it. */
export interface FakeRequest {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly status: number;
}

interface Answer {
  readonly operation?: Operation | undefined;
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/**
 * The chat service in memory, for tests of programs that use the SDK. Each request is held against the contract as the
 * service does it, and each answer of the fake too: one that breaks the contract throws.
 *
 * It does not imitate other processes and their races, rate limits, the limit on the size of a body, headers that stand
 * for the key, the second in which a deleted sub key may still be taken, and the end of an idempotency key after a day.
 * Prose in its refusals is its own.
 *
 * @example
 * const service = new FakeService();
 * const chat = new ChatClient({ baseUrl: "http://fake", apiKey: service.apiKey, fetch: service.fetch });
 */
export class FakeService {
  /** The master key. */
  readonly apiKey: string;
  /** Every request so far, oldest first. */
  readonly requests: FakeRequest[] = [];
  /** What a list of users is answered with. */
  userList: "cursor" | "reference";
  /** While true, every list answers one and the same cursor, for ever. */
  repeatsCursor = false;
  readonly #world = new World();
  readonly #faults: Fault[] = [];
  readonly #kept = new Map<string, { request: string; answer: Answer }>();
  #now: number;

  constructor({ now = Date.UTC(2024, 0), apiKey = "master_key", userList = "cursor" }: FakeOptions = {}) {
    this.#now = now;
    this.apiKey = apiKey;
    this.userList = userList;
  }

  /** The time of the service, in milliseconds. It stands still unless it is moved. */
  get now(): number {
    return this.#now;
  }

  /** Moves the clock on, or back. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /**
   * Lets the next request fail, and after it the ones that follow, one for each fault.
   *
   * @example service.failNext({ kind: "refuse", status: 503, code: "unavailable", retryAfterSeconds: 0 });
   */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  /** What to give the client as its `fetch`. */
  readonly fetch: Fetch = async (address, init) => {
    const fault = this.#faults.shift();
    const url = new URL(address);
    const requestId = `req_${this.requests.length + 1}`;
    const { operation, ...answer }: Answer =
      fault?.kind === "reset"
        ? { status: 0 }
        : fault?.kind === "refuse"
          ? presentFault(fault, requestId)
          : this.#answer(url, init, requestId);
    const { method, headers, body } = init;
    const path = url.pathname + url.search;
    this.requests.push({ operation, method, path, headers, body, status: answer.status });
    if (fault?.kind === "reset") throw new TypeError("fetch failed");
    const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
    return {
      status: answer.status,
      headers: new Headers({
        "x-request-id": requestId,
        ...(text && {
          "content-type": answer.status < 400 ? "application/json" : "application/problem+json",
        }),
        ...answer.headers,
      }),
      text: () => readFaulty(text, fault, init.signal),
    };
  };

  #answer(url: URL, init: FetchInit, requestId: string): Answer {
    let operation: Operation | undefined;
    try {
      const routed = findRoute(init.method, url, init.body);
      operation = routed.name;
      this.#authenticate(init, routed.operation.access === "master_key");
      const accepted = routed.accept();
      return { operation, ...this.#answerOnce(init, url, () => this.#handle(routed, accepted)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { operation, status: error.status, body: error.present(requestId), headers: error.headers };
    }
  }

  #handle({ name, operation: { route } }: Routed, accepted: Accepted): Answer {
    const { next: _, ...first } = accepted.query;
    const request = this.repeatsCursor ? { ...accepted, query: first } : accepted;
    const { body, headers } = handlers[name](request, {
      world: this.#world,
      now: this.#now,
      userList: this.userList,
    });
    const status = 201 in route.responses ? 201 : 200;
    const schema = route.responses[status];
    if (isSchema(schema) && !schema.safeParse(body).success)
      throw new Error(`The fake answered ${name} with what the contract does not allow. Please report it.`);
    const repeated = this.repeatsCursor && isPage(body) ? { ...body, next: "again" } : body;
    return { status, body: structuredClone(repeated), ...(headers && { headers }) };
  }

  #authenticate({ headers: { authorization = "" } }: FetchInit, isMasterOnly: boolean): void {
    const key = authorization.replace(/^bearer +/i, "");
    if (key === this.apiKey) return;
    if (!this.#world.keys.has(key))
      throw new Refusal("unauthenticated", "There is no such key.", undefined, {
        "www-authenticate": "Bearer",
      });
    if (isMasterOnly) throw new Refusal("master_key_required", "Only the master key may do this.");
  }

  /** Under an idempotency key the work is done once, and its answer is given again. */
  #answerOnce(init: FetchInit, url: URL, work: () => Answer): Answer {
    const key = init.headers["idempotency-key"];
    if (key === undefined || init.method === "GET") return work();
    const owner = `${init.headers.authorization} ${key}`;
    const request = `${init.method} ${url.pathname} ${init.body}`;
    const kept = this.#kept.get(owner);
    if (kept === undefined) {
      const answer = work();
      this.#kept.set(owner, { request, answer });
      return answer;
    }
    if (kept.request !== request)
      throw new Refusal("idempotency_key_reused", "The idempotency key came with another request before.");
    return { ...kept.answer, headers: { ...kept.answer.headers, "idempotent-replayed": "true" } };
  }
}

function presentFault(
  { status, code, retryAfterSeconds }: Fault & { kind: "refuse" },
  requestId: string,
): Answer {
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return {
    status,
    headers,
    body: { status, code, detail: "The fake was told to fail.", request_id: requestId },
  };
}

function isPage(body: unknown): body is object {
  return (
    typeof body === "object" && body !== null && ("users" in body || "channels" in body || "messages" in body)
  );
}
