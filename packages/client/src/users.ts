import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { ListOptions } from "./page";
import { Pager } from "./pager";
import { UserMetaCalls } from "./user-meta";
import { fetchUsers } from "./user-pages";

/** Key-value pairs: at most 10; keys of letters, Hangul, `_` and `-` (100 bytes), values of at most 200 bytes. */
export type Meta = Record<string, string>;

/** A user of the application. */
export interface User {
  user_id: string;
  name: string;
  /** Absent when there is none. */
  profile_url?: string;
  meta: Meta;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. Moves with every change, metadata included. */
  updated_at: number;
}

/** A user to create. */
export interface NewUser {
  /** 4 to 80 characters: lower-case letters, digits and `_`. It never changes. */
  user_id: string;
  /** 1 to 80 characters. */
  name: string;
  /** At most 2,048 characters. */
  profile_url?: string | undefined;
  meta?: Meta | undefined;
}

/** The new values of a user. */
export interface UserChange {
  /** 1 to 80 characters. */
  name: string;
  /** At most 2,048 characters; kept when left out, cleared by the empty string. */
  profile_url?: string | undefined;
}

/** Which users to list. */
export interface UserFilter extends ListOptions {
  /** Only users of exactly this name. */
  name?: string | undefined;
  /** Only users created before this one. */
  base_user_id?: string | undefined;
}

/** `chat.users` */
export class UserCalls {
  readonly #call: Call;
  /** The metadata of a user. */
  readonly meta: UserMetaCalls;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
    this.meta = new UserMetaCalls(call);
  }

  /**
   * Lists the users, newest first. `pageSize` is 5 to 30, 15 when left out.
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
   * Gets the user of an id. Throws `NotFoundError` when there is none.
   *
   * @example const kim = await chat.users.get("kim_01");
   */
  get(userId: string, options?: CallOptions): Promise<User> {
    return this.#call("users.get", { path: { user_id: userId } }, options);
  }

  /**
   * Creates a user. Throws `ConflictError` when the id is taken.
   *
   * @example await chat.users.create({ user_id: "kim_01", name: "Kim" });
   */
  create(user: NewUser, options?: CallOptions): Promise<User> {
    return this.#call("users.create", { body: user }, options);
  }

  /**
   * Sets the name of a user, and the picture where one is given. Throws `NotFoundError` when there is no such user.
   *
   * @example await chat.users.update("kim_01", { name: "Kim Min-jun" });
   */
  update(userId: string, change: UserChange, options?: CallOptions): Promise<User> {
    return this.#call("users.update", { path: { user_id: userId }, body: change }, options);
  }

  /**
   * Deletes a user: memberships and manager roles end, messages stay. Throws `NotFoundError` when there is no such user.
   *
   * @example await chat.users.delete("kim_01");
   */
  delete(userId: string, options?: CallOptions): Promise<void> {
    return this.#call("users.delete", { path: { user_id: userId } }, options);
  }
}
