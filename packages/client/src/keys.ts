import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { SubKey } from "./wire";

/** `chat.keys`, for the master key only. With a sub key each call throws `PermissionError`. */
export class Keys {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Lists the sub keys, oldest first.
   *
   * @example const keys = await chat.keys.list();
   */
  list(options?: CallOptions): Promise<SubKey[]> {
    return this.#call("keys.list", {}, options);
  }

  /**
   * Creates a sub key. Throws `ConflictError` when 10 sub keys exist.
   *
   * @example const { key } = await chat.keys.create();
   */
  create(options?: CallOptions): Promise<SubKey> {
    return this.#call("keys.create", {}, options);
  }

  /**
   * Deletes a sub key, which every server rejects within a second. Throws `NotFoundError` when the key does not exist.
   *
   * @example await chat.keys.delete(leakedKey);
   */
  delete(key: string, options?: CallOptions): Promise<void> {
    return this.#call("keys.delete", { body: { key }, secret: key }, options);
  }

  /**
   * The same as `delete`, with a POST: for a service behind a proxy that drops the body of a DELETE.
   *
   * @example await chat.keys.revoke(leakedKey);
   */
  revoke(key: string, options?: CallOptions): Promise<void> {
    return this.#call("keys.revoke", { body: { key }, secret: key }, options);
  }
}
