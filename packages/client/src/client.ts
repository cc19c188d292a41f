import { requireKey } from "./api-key";
import { requireNoBrowser } from "./browser";
import { type Call, createCall } from "./call";
import { ChannelCalls } from "./channels";
import { ExportCalls } from "./exports";
import { requireHeaders } from "./headers";
import { KeyCalls } from "./keys";
import { MessageCalls } from "./messages";
import { requireNumber } from "./numbers";
import { createObserver } from "./observe";
import type { ClientOptions } from "./options";
import { createRawCall, type Raw } from "./raw";
import { parseBaseUrl } from "./url";
import { UserCalls } from "./users";

/** All calls of the service. */
class Calls {
  readonly users: UserCalls;
  readonly channels: ChannelCalls;
  readonly messages: MessageCalls;
  readonly exports: ExportCalls;
  readonly keys: KeyCalls;

  /** @internal */
  constructor(call: Call) {
    this.users = new UserCalls(call);
    this.channels = new ChannelCalls(call);
    this.messages = new MessageCalls(call);
    this.exports = new ExportCalls(call);
    this.keys = new KeyCalls(call);
  }
}

/**
 * A client of one service with one key.
 *
 * Throws `ValidationError` for a bad option, and in a browser, where every visitor could read the key.
 *
 * @example const chat = new ChatClient({ baseUrl: "https://chat.example.com", apiKey: process.env.MADANG_API_KEY });
 */
export class ChatClient extends Calls {
  /** The same methods, each giving `{ data, meta }`: status, headers, request id, attempts and duration beside the data. */
  readonly raw: Raw<Calls>;

  constructor(options: ClientOptions) {
    const { apiKey, fetch = globalThis.fetch, maxRetryAfter = 60_000 } = options;
    requireNoBrowser(options.dangerouslyAllowBrowser);
    if (typeof apiKey !== "function") requireKey(apiKey);
    requireHeaders(options.headers);
    requireNumber("maxRetryAfter", maxRetryAfter, 0);
    const call = createCall({
      apiKey,
      maxRetryAfter,
      baseUrl: parseBaseUrl(options.baseUrl),
      // Called as a plain function: browsers and workers refuse a fetch with another `this`.
      fetch: (url, init) => fetch(url, init),
      observer: createObserver(options),
      random: Math.random,
      travel: options,
      check: options.check,
    });
    super(call);
    // The calls of the second set differ in what they give, just as Raw says.
    this.raw = new Calls(createRawCall(call)) as unknown as Raw<Calls>;
  }
}
