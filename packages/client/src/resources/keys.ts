import type { CallingKey, NewSubKey, SubKey } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** `chat.keys`, for the master key, except `self`. With a sub key each other call throws `PermissionError`. */
export class Keys {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the sub keys, oldest first, with the time of their last use.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const keys = await chat.keys.list();
   */
  list(options?: CallOptions): Promise<SubKey[]> {
    return this.#api.call("keys.list", {}, options);
  }

  /**
   * Describes the key or token of this client: its kind, and its id or user, label, scopes and expiry.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { kind, scopes } = await chat.keys.self();
   */
  self(options?: CallOptions): Promise<CallingKey> {
    return this.#api.call("keys.self", {}, options);
  }

  /**
   * Creates a sub key. Its label names it in the logs and metrics of the server; `scopes` restrict what it
   * may do; from `expires_at` on it is rejected. Throws
   * `ConflictError` when 10 sub keys exist.
   *
   * @param key A user as whom the key acts, a label of 1 to 80 characters, 1 to 20 scopes, the time from which the key is rejected; all are optional.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { key } = await chat.keys.create({ label: "billing", scopes: ["read"] });
   */
  create(key?: NewSubKey, options?: CallOptions): Promise<SubKey> {
    return this.#api.call("keys.create", { ...(key && { body: key }) }, options);
  }

  /**
   * Deletes a sub key, which every server rejects within a second. Throws `NotFoundError` when the key does not exist.
   *
   * @param key The sub key.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example
   * const { key } = await chat.keys.create();
   * await chat.keys.delete(key);
   */
  delete(key: string, options?: CallOptions): Promise<void> {
    const name = this.#api.bodilessDeletes ? "keys.revoke" : "keys.delete";
    return this.#api.call(name, { body: { key }, secret: key }, options);
  }
}
