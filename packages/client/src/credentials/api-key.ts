import { ChatError } from "../errors/chat-error";
import { ValidationError } from "../errors/errors";
import { copyCause } from "../errors/secrets";
import type { Operation } from "../generated/types";
import type { KeyFunction } from "../options";
import { isKey, KeptToken } from "./kept-token";

/** Where the key or token of a client comes from. */
export type KeySource = string | KeyFunction | KeptToken;

/** The keys that one call sends. A client with a session has none. */
export class CallKeys {
  readonly #apiKey: KeySource | undefined;
  readonly #operation: Operation;
  #current: string | undefined;
  #isRenewed = false;

  constructor(apiKey: KeySource | undefined, operation: Operation) {
    this.#apiKey = apiKey;
    this.#operation = operation;
  }

  /** The key of the next attempt. */
  async get(): Promise<string | undefined> {
    if (!this.#isRenewed && this.#apiKey !== undefined) this.#current = await this.#request(false);
    return this.#current;
  }

  /** Another key, after the service rejected the current one; once per call, and only when there is another. */
  async renew(): Promise<string | undefined> {
    if (this.#isRenewed || this.#apiKey === undefined || typeof this.#apiKey === "string") return undefined;
    const key = await this.#request(true);
    if (key === this.#current) return undefined;
    this.#isRenewed = true;
    this.#current = key;
    return key;
  }

  /** No error shows a key, neither that of the key function nor that of the platform. */
  async #request(refresh: boolean): Promise<string> {
    let key: unknown = this.#apiKey;
    if (this.#apiKey instanceof KeptToken) {
      key = await this.#apiKey.get(refresh ? this.#current : undefined);
      requireKey(key, this.#operation, "token");
      return key;
    }
    if (typeof this.#apiKey === "function")
      try {
        key = await this.#apiKey({ refresh });
      } catch (error) {
        throw error instanceof ChatError
          ? error
          : new ValidationError(
              "apiKey",
              "The function failed.",
              this.#operation,
              "option",
              copyCause(error, []),
            );
      }
    requireKey(key, this.#operation);
    return key;
  }
}

export function requireKey(
  key: unknown,
  operation?: Operation,
  option: "apiKey" | "token" = "apiKey",
): asserts key is string {
  if (!isKey(key))
    throw new ValidationError(option, "Must be a key of visible ASCII characters without spaces.", operation);
}
