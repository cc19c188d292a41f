import { type KeySource, requireKey } from "./credentials/api-key";
import { KeptToken } from "./credentials/kept-token";
import { ValidationError } from "./errors/errors";
import { listen } from "./events/listen";
import { createUpload } from "./files/upload";
import type { Operation } from "./generated/types";
import { requireNumber, resolveLimits } from "./limits";
import type { CallOptions, ClientOptions, SessionOptions, TokenOptions } from "./options";
import { hasNoStreams } from "./platform";
import { createRawCall, type Raw } from "./raw";
import type { Api } from "./resources/api";
import { Resources } from "./resources/resources";
import { clientOptions, requireKnownOptions, requireNoBrowser, requireSetting } from "./settings";
import { type CallDeps, createCall } from "./transport/call";
import { auditHeaders, requireHeaders } from "./transport/headers";
import { createObserver } from "./transport/observe";
import type { RequestParts } from "./transport/request";
import { parseBaseUrl } from "./transport/url";

/**
 * A client of one service with one key. Without options it reads the environment variables `MADANG_URL` and `MADANG_API_KEY`.
 * In a browser or an app it takes the `token` of a user, and acts as this user. In the console of a service, which has a session
 * instead of a key, it takes `session: true`.
 *
 * Throws `ValidationError` for a missing or an invalid option, and in a browser, where every visitor could read the key.
 *
 * @example const chat = new ChatClient({ baseUrl: "https://chat.example.com", apiKey: process.env.MADANG_API_KEY });
 */
export class ChatClient extends Resources {
  /** The same methods, each returning `{ data, meta }`: `meta` has the status, headers, request id, attempts and duration. */
  readonly raw: Raw<Resources>;
  readonly #request: ChatClient["request"];

  /** @param options The address, the key or the token, and what holds for all calls. */
  constructor(options: ClientOptions | TokenOptions | SessionOptions = {}) {
    requireKnownOptions(options, clientOptions);
    const { fetch = globalThis.fetch, maxRetryAfterMs = 60_000 } = options;
    const baseUrl = requireSetting("baseUrl", options.baseUrl, "MADANG_URL");
    const apiKey = readKey(options);
    requireHeaders(options.headers);
    auditHeaders(options);
    requireNumber("maxRetryAfterMs", maxRetryAfterMs, [0]);
    resolveLimits(options);
    if (typeof fetch !== "function")
      throw new ValidationError("fetch", "Is missing. There is no global one here: pass one.");
    const deps: CallDeps = {
      apiKey,
      maxRetryAfterMs,
      baseUrl: parseBaseUrl(baseUrl),
      // Called as a plain function: browsers and workers reject a fetch with another `this`.
      fetch: (url, init) => fetch(url, init),
      observer: createObserver(options),
      trace: options.trace,
      bodies: { areStreams: fetch === globalThis.fetch && hasNoStreams() ? false : undefined },
      defaults: options,
      check: options.check,
    };
    const call = createCall(deps);
    const api: Api = {
      call,
      callWithin: call,
      upload: createUpload(deps),
      listen: (listenOptions) => listen(deps, call, listenOptions),
      bodilessDeletes: options.bodilessDeletes,
    };
    super(api);
    // The types of the methods know what belongs to each operation; here the service checks it.
    this.#request = call as ChatClient["request"];
    // The methods of the second set return what the type `Raw` declares.
    this.raw = new Resources({ ...api, call: createRawCall(call) }) as unknown as Raw<Resources>;
  }

  /**
   * Calls an operation by its name with the parts of its request as the service defines them, and returns the data of its
   * response: for tools that cover every operation. The methods are typed, and those of lists fetch all pages.
   *
   * Throws the errors of the method with this name, and `ValidationError` for an unknown one.
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

/** The key or token of the client. One with a session has none, neither in a page nor in the environment. */
function readKey(options: ClientOptions | TokenOptions | SessionOptions): KeySource | undefined {
  const given = (["session", "token", "apiKey"] as const).filter((name) => options[name]);
  const [, second] = given;
  if (second !== undefined)
    throw new ValidationError(second, `Must be absent with \`${given[0]}\`: a client has only one of them.`);
  if (options.session) return undefined;
  if (options.token !== undefined) {
    if (typeof options.token === "function") return new KeptToken(options.token);
    requireKey(options.token, undefined, "token");
    return options.token;
  }
  requireNoBrowser(options.dangerouslyAllowBrowser);
  const apiKey = requireSetting("apiKey", options.apiKey, "MADANG_API_KEY");
  if (typeof apiKey !== "function") requireKey(apiKey);
  return apiKey;
}
