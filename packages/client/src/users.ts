import type { Api } from "./call";
import { createPager } from "./create-pager";
import type { NewUser, Unread, User, UserChange, UserChannel, UsersListQuery } from "./generated/types";
import type { CallOptions } from "./options";
import type { ListOptions } from "./page";
import type { Pager } from "./pager";
import { UserMeta } from "./user-meta";
import { readUserPage } from "./user-pages";

/** The users to list. */
export interface UserFilter extends ListOptions, UsersListQuery {}

/** `chat.users` */
export class Users {
  readonly #api: Api;
  /** The metadata of a user. */
  readonly meta: UserMeta;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.meta = new UserMeta(api);
  }

  /**
   * Lists the users, newest first.
   *
   * Throws `BadRequestError` for a cursor of another list, `NotFoundError` for an unknown `base_user_id`.
   *
   * @param filter A name, where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const user of chat.users.list({ name: "Kim" })) console.log(user.user_id);
   */
  list(filter: UserFilter = {}, options?: CallOptions): Pager<User> {
    const { name, base_user_id } = filter;
    return createPager(this.#api, "users.list", filter, options, {
      request: () => ({ query: { name, base_user_id } }),
      read: readUserPage,
    });
  }

  /**
   * Lists the channels of a user by last activity, newest first, each with its unread count and last message.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param page Where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const channel of chat.users.channels("kim_01")) console.log(channel.name, channel.unread_count);
   */
  channels(userId: string, page: ListOptions = {}, options?: CallOptions): Pager<UserChannel> {
    return createPager(this.#api, "users.channels", page, options, {
      request: () => ({ path: { user_id: userId } }),
      read: ({ channels, next }) => ({ items: channels, next }),
    });
  }

  /**
   * Counts the unread messages of a user over all channels. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { unread_count, channel_count } = await chat.users.unread("kim_01");
   */
  unread(userId: string, options?: CallOptions): Promise<Unread> {
    return this.#api.call("users.unread", { path: { user_id: userId } }, options);
  }

  /**
   * Gets a user. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const kim = await chat.users.get("kim_01");
   */
  get(userId: string, options?: CallOptions): Promise<User> {
    return this.#api.call("users.get", { path: { user_id: userId } }, options);
  }

  /**
   * Creates a user. Throws `ConflictError` when the id exists already.
   *
   * @param user Its id, its name of 1 to 80 characters, and optionally a picture and metadata.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.create({ user_id: "kim_01", name: "Kim" });
   */
  create(user: NewUser, options?: CallOptions): Promise<User> {
    return this.#api.call("users.create", { body: user }, options);
  }

  /**
   * Sets the name of a user, and `profile_url` if it is given. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param change The name, 1 to 80 characters, and optionally a picture; an empty `profile_url` removes it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.update("kim_01", { name: "Kim Min-jun" });
   */
  update(userId: string, change: UserChange, options?: CallOptions): Promise<User> {
    return this.#api.call("users.update", { path: { user_id: userId }, body: change }, options);
  }

  /**
   * Deletes a user. Memberships and manager roles end, messages stay. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.delete("kim_01");
   */
  delete(userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.delete", { path: { user_id: userId } }, options);
  }
}
