import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { Meta, User } from "./wire";

/** `chat.users.meta` */
export class UserMeta {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Adds or changes metadata pairs and keeps the others, all or nothing.
   *
   * Throws `ConflictError` when the user would have more than 10 pairs, `NotFoundError` when the user does not exist.
   *
   * @example await chat.users.meta.merge("kim_01", { team: "blue" });
   */
  merge(userId: string, meta: Meta, options?: CallOptions): Promise<User> {
    return this.#call("users.meta.merge", { path: { user_id: userId }, body: { meta } }, options);
  }

  /**
   * Deletes the metadata pairs with these keys; absent keys are ignored. Throws `NotFoundError` when the user does not exist.
   *
   * @example await chat.users.meta.delete("kim_01", ["team"]);
   */
  delete(userId: string, keys: readonly string[], options?: CallOptions): Promise<User> {
    return this.#call("users.meta.delete", { path: { user_id: userId }, body: { keys } }, options);
  }

  /**
   * The same as `delete` with one key, without a body: for a service behind a proxy that drops the body of a DELETE.
   *
   * @example await chat.users.meta.deleteKey("kim_01", "team");
   */
  deleteKey(userId: string, key: string, options?: CallOptions): Promise<User> {
    return this.#call("users.meta.deleteKey", { path: { user_id: userId, key } }, options);
  }
}
