import type { Api } from "./call";
import type { User } from "./generated/types";
import type { CallOptions } from "./options";

/** `chat.users.meta` */
export class UserMeta {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Adds or changes metadata pairs and keeps the others, all or nothing.
   *
   * Throws `ConflictError` when the user would have more than 10 pairs, `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param meta At most 10 pairs. A key is at most 100 bytes of letters A-Z and a-z, Hangul, `_` and `-`; a value is at most 200 bytes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.meta.merge("kim_01", { team: "blue" });
   */
  merge(userId: string, meta: Record<string, string>, options?: CallOptions): Promise<User> {
    return this.#api.call("users.meta.merge", { path: { user_id: userId }, body: { meta } }, options);
  }

  /**
   * Deletes the metadata pairs with these keys; absent keys are ignored. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param keys The keys to delete.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.meta.delete("kim_01", ["team"]);
   */
  delete(userId: string, keys: readonly string[], options?: CallOptions): Promise<User> {
    const path = { user_id: userId };
    if (this.#api.bodilessDeletes) return this.#deleteEach(path, keys, options);
    return this.#api.call("users.meta.delete", { path, body: { keys } }, options);
  }

  /** One request for each key. */
  async #deleteEach(
    path: { user_id: string },
    keys: readonly string[],
    options: CallOptions | undefined,
  ): Promise<User> {
    let user: User | undefined;
    for (const key of new Set(keys))
      user = await this.#api.call("users.meta.deleteKey", { path: { ...path, key } }, options);
    return user ?? this.#api.call("users.get", { path }, options);
  }
}
