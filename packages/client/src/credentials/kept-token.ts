import { ChatError } from "../errors/chat-error";
import { FetchFailure } from "../errors/fetch-failure";
import { copyCause } from "../errors/secrets";
import type { ReceivedToken, TokenFunction } from "../options";

/** How long before its end a token is replaced, so that none expires on its way: at most, and as a share of what is left. */
const marginMs = 30_000;
const marginShare = 0.1;

/**
 * The token of a client with a function: kept until shortly before it expires, or until the service rejects it. Calls that need
 * another one at the same time wait for one call of the function.
 */
export class KeptToken {
  readonly #receive: TokenFunction;
  #current: string | undefined;
  #renewAt = 0;
  #receiving: Promise<unknown> | undefined;

  constructor(receive: TokenFunction) {
    this.#receive = receive;
  }

  /** The token, or another one than that which the service has rejected. */
  get(rejected: string | undefined): unknown {
    // Nor does a later call send it again, if the function fails now.
    if (rejected !== undefined && rejected === this.#current) this.#renewAt = 0;
    if (Date.now() < this.#renewAt) return this.#current;
    this.#receiving ??= this.#renew().finally(() => {
      this.#receiving = undefined;
    });
    return this.#receiving;
  }

  async #renew(): Promise<unknown> {
    const received = await this.#call();
    const { token, expires_at: expiresAt = 0 } =
      typeof received === "string" ? { token: received } : Object(received);
    // What is no token, as the page of an error, is not kept: the next call asks for another one.
    this.#renewAt = 0;
    if (!isKey(token)) return token;
    const remainingMs = expiresAt - Date.now();
    // Without a time, or by a clock that is ahead, the token is kept until the service rejects it.
    this.#renewAt =
      remainingMs > 0 ? expiresAt - Math.min(marginMs, remainingMs * marginShare) : Number.POSITIVE_INFINITY;
    this.#current = token;
    return token;
  }

  /** A failure is one of the connection to the application: the call is retried as if the service could not be reached. */
  async #call(): Promise<ReceivedToken> {
    try {
      return await this.#receive();
    } catch (error) {
      if (error instanceof ChatError) throw error;
      throw new FetchFailure(new Error(`the function \`token\` failed: ${copyCause(error, []).message}`));
    }
  }
}

/** Visible ASCII: the platform would reject other characters with an error that shows the key. */
export const isKey = (key: unknown): key is string => typeof key === "string" && /^[\x21-\x7e]+$/.test(key);
