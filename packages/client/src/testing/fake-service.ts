import { eventStreamOperation } from "@madang/contract";
import type { RouteName } from "../generated/operations";
import type { Fetch, FetchInit, ResponseLike } from "../platform";
import { type Fault, FaultyFetch } from "./faulty-fetch";
import type { AcceptedRequest } from "./handler";
import { handlers } from "./handlers";
import { IdempotencyStore } from "./idempotency";
import { createNotImitated, createResponse, type FakeResponse } from "./response";
import { acceptRequest, findRoute, type MatchedRoute } from "./routing";
import { ServiceError } from "./service-error";
import { isValid } from "./validate";
import { World } from "./world";

/** Options of `new FakeService`. */
export interface FakeOptions {
  /** The first time of the clock, in milliseconds. Default: the start of 2024, UTC. */
  readonly now?: number;
  /** The master key. Default `master_key`. */
  readonly apiKey?: string;
  /** How lists of users are returned: as pages with a cursor, or as bare arrays by reference user. Default `cursor`. */
  readonly userList?: "cursor" | "reference";
}

/** A request as the fake received it. */
export interface FakeRequest {
  /** The operation, e.g. `users.create`; undefined for an address that the service does not have. */
  readonly operation: RouteName | undefined;
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  /** The headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as an object; undefined without one, and text when it is not JSON. */
  readonly body: unknown;
  /** The status of the response; 0 when the connection broke. */
  readonly status: number;
}

/**
 * The chat service in memory, for tests of programs that use the SDK. Each request is validated against the contract as the
 * service does it, and so is each response of the fake: one that breaks the contract throws.
 *
 * It does not imitate other processes and their races, rate limits, the limit on the size of a body, additional key headers,
 * the second in which a deleted sub key may still be accepted, and the expiry of idempotency keys. The sentences of its
 * errors are its own. An operation that it does not imitate gets 501 `not_imitated`: the README lists them, and how to
 * test them with the real service.
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
  /** How lists of users are returned. */
  userList: "cursor" | "reference";
  /** While true, every page of every list has the same cursor. */
  repeatsCursor = false;
  readonly #world = new World();
  readonly #idempotency = new IdempotencyStore();
  readonly #faulty = new FaultyFetch(async (url, init) => this.#respond(new URL(url), init));
  #now: number;

  constructor({ now = Date.UTC(2024, 0), apiKey = "master_key", userList = "cursor" }: FakeOptions = {}) {
    this.#now = now;
    this.apiKey = apiKey;
    this.userList = userList;
  }

  /** The time of the service, in milliseconds. It stands still unless it is advanced. */
  get now(): number {
    return this.#now;
  }

  /**
   * Moves the clock forward, or back.
   *
   * @param milliseconds How far; negative to move it back.
   * @example service.advance(60_000);
   */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /**
   * Lets the next request fail, and the ones after it, one for each fault.
   *
   * @param faults What goes wrong, in the order of the requests.
   * @example service.failNext({ kind: "respond", status: 503, code: "unavailable", retryAfterSeconds: 0 });
   */
  failNext(...faults: Fault[]): void {
    this.#faulty.failNext(...faults);
  }

  /** The `fetch` for the client. */
  readonly fetch: Fetch = async (input, init) => {
    const url = new URL(input);
    const { method, headers, body } = init;
    const operation = findRoute(method, url)?.name;
    const request = { operation, method, path: url.pathname + url.search, headers, body: parseBody(body) };
    const index = this.requests.push({ ...request, status: 0 }) - 1;
    const response = await this.#faulty.fetch(input, init);
    this.requests[index] = { ...request, status: response.status };
    return response;
  };

  #respond(url: URL, init: FetchInit): ResponseLike {
    const requestId = `req_${this.requests.length}`;
    try {
      const { id: streamId, route: stream } = eventStreamOperation;
      if (url.pathname.endsWith(stream.path)) return createResponse(requestId, createNotImitated(streamId));
      const route = findRoute(init.method, url);
      if (!route) throw new ServiceError("route_not_found", `There is no ${init.method} ${url.pathname}.`);
      this.#authenticate(init, route);
      const request = acceptRequest(route, url, init.body);
      const handle = () => this.#handle(route, request);
      return createResponse(requestId, this.#idempotency.handleOnce(init, url, handle));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { status, headers } = error;
      return createResponse(requestId, { status, body: error.present(requestId), headers });
    }
  }

  #handle({ name, operation: { route } }: MatchedRoute, request: AcceptedRequest): FakeResponse {
    const handler = handlers[name];
    if (!handler) return createNotImitated(name);
    const { next: _, ...firstQuery } = request.query;
    const { body, headers } = handler(this.repeatsCursor ? { ...request, query: firstQuery } : request, {
      world: this.#world,
      now: this.#now,
      userList: this.userList,
    });
    const status = 201 in route.responses ? 201 : 200;
    if (!isValid(route.responses[status], body))
      throw new Error(`The response of the fake to ${name} breaks the contract. Please report it.`);
    const repeated = this.repeatsCursor && isPage(body) ? { ...body, next: "again" } : body;
    return { status, body: structuredClone(repeated), ...(headers && { headers }) };
  }

  #authenticate({ headers: { authorization = "" } }: FetchInit, { operation }: MatchedRoute): void {
    const key = authorization.replace(/^bearer +/i, "");
    if (key === this.apiKey) return;
    const { expires_at: expiresAt = Number.POSITIVE_INFINITY } = this.#world.keys.get(key) ?? {
      expires_at: 0,
    };
    if (expiresAt <= this.#now)
      throw new ServiceError("unauthenticated", "There is no such key.", undefined, {
        "www-authenticate": "Bearer",
      });
    if (operation.access === "master_key")
      throw new ServiceError("master_key_required", "This operation requires the master key.");
  }
}

function parseBody(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return body;
  }
}

function isPage(body: unknown): body is object {
  return typeof body === "object" && body !== null && Object.values(body).some(Array.isArray);
}
