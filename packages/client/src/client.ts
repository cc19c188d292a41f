import { requireKey } from "./api-key";
import { requireNoBrowser } from "./browser";
import { type Api, type CallDeps, createCall } from "./call";
import { readVariable } from "./environment";
import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";
import { requireHeaders } from "./headers";
import { resolveLimits } from "./limits";
import type { ListenOptions, ReceivedEvent } from "./listen-options";
import { requireNumber } from "./numbers";
import { createObserver } from "./observe";
import type { CallOptions, ClientOptions } from "./options";
import { createRawCall, type Raw } from "./raw";
import type { RequestParts } from "./request";
import { Resources } from "./resources";
import { streamTools } from "./stream-tools";
import { send } from "./transport";
import { parseBaseUrl } from "./url";

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
    requireNoBrowser(options.dangerouslyAllowBrowser);
    const baseUrl = requireSetting("baseUrl", options.baseUrl, "MADANG_URL");
    const apiKey = requireSetting("apiKey", options.apiKey, "MADANG_API_KEY");
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
      check: options.check,
    };
    const call = createCall(deps, send);
    const api: Api = {
      call,
      callForPage: call,
      listen: (listenOptions) => loadAndListen(deps, listenOptions),
      bodilessDeletes: options.bodilessDeletes,
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

function requireSetting<Value>(option: string, value: Value | undefined, variable: string): Value | string {
  const setting = value ?? readVariable(variable);
  if (setting) return setting;
  throw new ValidationError(option, `Is missing. Pass it, or set the environment variable ${variable}.`);
}

/** The code for streams is loaded when it is needed: a program that does not listen does not pay for it. */
async function* loadAndListen(
  deps: CallDeps,
  options: ListenOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const { listen } = await import("./listen");
  yield* listen(deps, options, streamTools);
}
