import type { Call } from "./call";
import type { CallOptions } from "./options";

/** A key that can be used in place of the master key, and revoked. */
export interface SubKey {
  key: string;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
}

/** `chat.keys`: for the master key alone. With a sub key each call throws `PermissionError`. */
export class KeyCalls {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Lists the sub keys, the oldest first.
   *
   * @example const keys = await chat.keys.list();
   */
  list(options?: CallOptions): Promise<SubKey[]> {
    return this.#call("keys.list", {}, options);
  }

  /**
   * Creates a sub key. Throws `ConflictError` when there are 10 of them.
   *
   * @example const { key } = await chat.keys.create();
   */
  create(options?: CallOptions): Promise<SubKey> {
    return this.#call("keys.create", {}, options);
  }

  /**
   * Deletes a sub key: within a second no server takes it any more. Throws `NotFoundError` when there is no such key.
   *
   * @example await chat.keys.delete(leakedKey);
   */
  delete(key: string, options?: CallOptions): Promise<void> {
    return this.#call("keys.delete", { body: { key }, secret: key }, options);
  }

  /**
   * The same as `delete`, by a POST: for a service behind a proxy that drops the body of a DELETE.
   *
   * @example await chat.keys.revoke(leakedKey);
   */
  revoke(key: string, options?: CallOptions): Promise<void> {
    return this.#call("keys.revoke", { body: { key }, secret: key }, options);
  }
}
