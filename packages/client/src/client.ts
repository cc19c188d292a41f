import { requireKey } from "./api-key";
import { requireNoBrowser } from "./browser";
import { type Api, type CallDeps, createCall } from "./call";
import { Channels } from "./channels";
import { readVariable } from "./environment";
import { ValidationError } from "./errors";
import { Events } from "./events";
import { Exports } from "./exports";
import type { Operation } from "./generated/types";
import { requireHeaders } from "./headers";
import { Imports } from "./imports";
import { Keys } from "./keys";
import { resolveLimits } from "./limits";
import type { ListenOptions, ReceivedEvent } from "./listen-options";
import { Messages } from "./messages";
import { requireNumber } from "./numbers";
import { createObserver } from "./observe";
import type { CallOptions, ClientOptions } from "./options";
import { createRawCall, type Raw } from "./raw";
import type { RequestParts } from "./request";
import { parseBaseUrl } from "./url";
import { Users } from "./users";
import { Webhooks } from "./webhooks";

/** All methods of the service. */
class Resources {
  /** Users and their metadata. */
  readonly users: Users;
  /** Group channels, their participants and managers. */
  readonly channels: Channels;
  /** Messages of a channel. */
  readonly messages: Messages;
  /** Changes of the data, as they are committed. */
  readonly events: Events;
  /** All messages of a channel, or those of some days. */
  readonly exports: Exports;
  /** Messages from elsewhere, with their own times. */
  readonly imports: Imports;
  /** Sub keys, for the master key only. */
  readonly keys: Keys;
  /** Webhooks, for the master key only. */
  readonly webhooks: Webhooks;

  /** @internal */
  constructor(api: Api) {
    this.users = new Users(api);
    this.channels = new Channels(api);
    this.messages = new Messages(api);
    this.events = new Events(api);
    this.exports = new Exports(api);
    this.imports = new Imports(api);
    this.keys = new Keys(api);
    this.webhooks = new Webhooks(api);
  }
}

/**
 * A client of one service with one key. Without options it reads the environment variables `MADANG_URL` and `MADANG_API_KEY`.
 *
 * Throws `ValidationError` for a missing or an invalid option, and in a browser, where every visitor could read the key.
 *
 * @example const chat = new ChatClient({ baseUrl: "https://chat.example.com", apiKey: process.env.MADANG_API_KEY });
 */
export class ChatClient extends Resources {
  /** The same methods, each returning `{ data, meta }`: `meta` has the status, headers, request id, attempts and duration. */
  readonly raw: Raw<Resources>;
  readonly #request: ChatClient["request"];

  /** @param options The address, the key, and what holds for all calls. */
  constructor(options: ClientOptions = {}) {
    const { fetch = globalThis.fetch, maxRetryAfter = 60_000 } = options;
    const baseUrl = options.baseUrl ?? readVariable("MADANG_URL");
    const apiKey = options.apiKey ?? readVariable("MADANG_API_KEY");
    requireNoBrowser(options.dangerouslyAllowBrowser);
    if (!baseUrl) throw createMissing("baseUrl", "MADANG_URL");
    if (!apiKey) throw createMissing("apiKey", "MADANG_API_KEY");
    if (typeof apiKey !== "function") requireKey(apiKey);
    requireHeaders(options.headers);
    requireNumber("maxRetryAfter", maxRetryAfter, [0]);
    resolveLimits(options);
    const deps: CallDeps = {
      apiKey,
      maxRetryAfter,
      baseUrl: parseBaseUrl(baseUrl),
      // Called as a plain function: browsers and workers reject a fetch with another `this`.
      fetch: (url, init) => fetch(url, init),
      observer: createObserver(options),
      defaults: options,
      check: options.check ?? false,
    };
    const call = createCall(deps);
    const api: Api = {
      call,
      callForPage: call,
      listen: (listenOptions) => loadAndListen(deps, listenOptions),
      bodilessDeletes: options.bodilessDeletes ?? false,
    };
    super(api);
    // The types of the methods know what belongs to each operation; here the service checks it.
    this.#request = call as ChatClient["request"];
    // The methods of the second set differ in what they return, as Raw says.
    this.raw = new Resources({ ...api, call: createRawCall(call) }) as unknown as Raw<Resources>;
  }

  /**
   * Calls an operation by its name with the parts of its request as the service defines them, and returns the data of its
   * response: for tools that cover every operation. The methods are typed, and those of lists fetch all pages.
   *
   * Throws the errors of the method with this name.
   *
   * @param operation The name of the operation, e.g. `users.get`.
   * @param parts `path`, `query` and `body`, with the names of the service.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const kim = await chat.request("users.get", { path: { user_id: "kim_01" } });
   */
  request(operation: Operation, parts: RequestParts = {}, options?: CallOptions): Promise<unknown> {
    return this.#request(operation, parts, options);
  }
}

function createMissing(option: string, variable: string): ValidationError {
  return new ValidationError(option, `Is missing. Pass it, or set the environment variable ${variable}.`);
}

/** The code for streams is loaded when it is needed: a program that does not listen does not pay for it. */
async function* loadAndListen(
  deps: CallDeps,
  options: ListenOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const { listen } = await import("./listen");
  yield* listen(deps, options);
}
