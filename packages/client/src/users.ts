import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { ListOptions } from "./page";
import { Pager } from "./pager";
import { UserMeta } from "./user-meta";
import { fetchUsers } from "./user-pages";
import type { NewUser, User, UserChange } from "./wire";

/** The users to list. */
export interface UserFilter extends ListOptions {
  /** Only users with exactly this name. */
  name?: string | undefined;
  /** Only users created before this one. */
  base_user_id?: string | undefined;
}

/** `chat.users` */
export class Users {
  readonly #call: Call;
  /** The metadata of a user. */
  readonly meta: UserMeta;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
    this.meta = new UserMeta(call);
  }

  /**
   * Lists the users, newest first. `pageSize`: 5 to 30, default 15.
   *
   * Throws `BadRequestError` for a cursor of another list, `NotFoundError` for an unknown `base_user_id`.
   *
   * @example for await (const user of chat.users.list({ name: "Kim" })) console.log(user.user_id);
   */
  list(filter: UserFilter = {}, options?: CallOptions): Pager<User> {
    return new Pager(
      {
        operation: "users.list",
        signal: options?.signal,
        fetch: (cursor, signal) => fetchUsers(this.#call, filter, cursor, { ...options, signal }),
      },
      filter,
    );
  }

  /**
   * Gets a user. Throws `NotFoundError` when the user does not exist.
   *
   * @example const kim = await chat.users.get("kim_01");
   */
  get(userId: string, options?: CallOptions): Promise<User> {
    return this.#call("users.get", { path: { user_id: userId } }, options);
  }

  /**
   * Creates a user. Throws `ConflictError` when the id exists already.
   *
   * @example await chat.users.create({ user_id: "kim_01", name: "Kim" });
   */
  create(user: NewUser, options?: CallOptions): Promise<User> {
    return this.#call("users.create", { body: user }, options);
  }

  /**
   * Sets the name of a user, and `profile_url` if it is given. Throws `NotFoundError` when the user does not exist.
   *
   * @example await chat.users.update("kim_01", { name: "Kim Min-jun" });
   */
  update(userId: string, change: UserChange, options?: CallOptions): Promise<User> {
    return this.#call("users.update", { path: { user_id: userId }, body: change }, options);
  }

  /**
   * Deletes a user. Memberships and manager roles end, messages stay. Throws `NotFoundError` when the user does not exist.
   *
   * @example await chat.users.delete("kim_01");
   */
  delete(userId: string, options?: CallOptions): Promise<void> {
    return this.#call("users.delete", { path: { user_id: userId } }, options);
  }
}
