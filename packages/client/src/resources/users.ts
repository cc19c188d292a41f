import type {
  ChannelBan,
  Message,
  NewUser,
  Suspension,
  Unread,
  User,
  UserChange,
  UserChannel,
  UsersBansQuery,
  UsersChannelsQuery,
  UsersListQuery,
  UsersMessagesQuery,
  UsersSearchMessagesQuery,
  UserToken,
} from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import { readUserPage } from "../paging/user-pages";
import type { Api } from "../transport/call";
import { deleteEach } from "./delete-each";
import { joinIds } from "./join-ids";

/** The users to list. */
export interface UserFilter extends ListOptions, Omit<UsersListQuery, "user_ids"> {
  /** Only these users, in this order, without those that do not exist: 1 to 50. No other filter goes with it. */
  user_ids?: readonly string[] | undefined;
}

/** The channels of a user to list. */
export interface InboxFilter extends ListOptions, Omit<UsersChannelsQuery, "channel_ids"> {
  /** Only these channels, in this order, without those in which the user is not a participant: 1 to 50. Only `members` goes with it. */
  channel_ids?: readonly string[] | undefined;
}

/** Which of the bans of a user to list. */
export interface UserBanRange extends ListOptions, UsersBansQuery {}

/** From when to when. */
export interface UserMessageRange extends ListOptions, UsersMessagesQuery {}

/** What to search for in the channels of a user. */
export interface UserMessageQuery extends ListOptions, UsersSearchMessagesQuery {}

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
   * Lists the users, newest first; with `q` or `name_prefix` by name, with `user_ids` in their order. With `q`, a page may have
   * fewer users than its size, or none, and still a `nextCursor`: a loop over the users goes on by itself.
   *
   * Throws `BadRequestError` for a cursor of another list, `NotFoundError` for an unknown `base_user_id`.
   *
   * @param filter `q`: words of the name, the last one perhaps incomplete, in any case, or an id; a name or its beginning; ids; where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const user of chat.users.list({ name: "Kim" })) console.log(user.user_id);
   */
  list(filter: UserFilter = {}, options?: CallOptions): Pager<User> {
    const { user_ids, ...page } = filter;
    return createPager(this.#api, "users.list", page, options, {
      filters: () => ({ user_ids: joinIds("user_ids", user_ids, "users.list") }),
      read: readUserPage,
    });
  }

  /**
   * Lists the channels of a user by last activity, newest first, each with its unread count and last message.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param filter `unread: true` for only channels with unread messages, `members: true` for the first ten participants of each, `channel_ids` for only these channels; where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const channel of chat.users.channels("kim_01")) console.log(channel.name, channel.unread_count);
   */
  channels(userId: string, filter: InboxFilter = {}, options?: CallOptions): Pager<UserChannel> {
    const { channel_ids, ...page } = filter;
    return createPager(this.#api, "users.channels", page, options, {
      path: { user_id: userId },
      filters: () => ({ channel_ids: joinIds("channel_ids", channel_ids, "users.channels") }),
      read: ({ channels, next }) => ({ items: channels, next }),
    });
  }

  /**
   * Lists the channels from which a user is banned now, the newest ban first.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { channel, reason } of chat.users.bans("park_03")) console.log(channel.name, reason);
   */
  bans(userId: string, range: UserBanRange = {}, options?: CallOptions): Pager<ChannelBan> {
    return createPager(this.#api, "users.bans", range, options, {
      path: { user_id: userId },
      read: ({ bans, next }) => ({ items: bans, next }),
    });
  }

  /**
   * Lists what a user wrote in all channels, newest first, with the master key or a key with the scope `users.messages`. A
   * page may have fewer messages than its size, or none, and still a `nextCursor`: a loop over the messages goes on by itself.
   *
   * Throws `NotFoundError` when the user does not exist, `PermissionError` without the scope.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range `since` and `until`, in milliseconds; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const message of chat.users.messages("kim_01")) console.log(message.channel_id, message.created_at);
   */
  messages(userId: string, range: UserMessageRange = {}, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "users.messages", range, options, {
      path: { user_id: userId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Searches the messages of every channel in which the user is a participant, newest first. A page may have fewer messages
   * than its size, or none, and still a `nextCursor`: a loop over the messages goes on by itself.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param query `q`, 1 to 8 terms separated by white space, of which a message has to contain each; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const message of chat.users.searchMessages("kim_01", { q: "noon" })) console.log(message.channel_id);
   */
  searchMessages(userId: string, query: UserMessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "users.searchMessages", query, options, {
      path: { user_id: userId },
      read: ({ messages, next }) => ({ items: messages, next }),
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
   * @param user Its id, its name of 1 to 80 characters, and optionally `profile_url` and metadata.
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
   * @param change The name, 1 to 80 characters, and optionally `profile_url`, which an empty text removes.
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

  /**
   * Creates a token with which the page or the app of a person acts as this user. Give it to who is signed in as the user.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param expiresIn After how many seconds it expires: 60 to 86,400, default 3,600.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { token, expires_at } = await chat.users.createToken("kim_01");
   */
  createToken(userId: string, expiresIn?: number, options?: CallOptions): Promise<UserToken> {
    const body = expiresIn === undefined ? {} : { body: { expires_in: expiresIn } };
    return this.#api.call("users.createToken", { path: { user_id: userId }, ...body }, options);
  }

  /**
   * Revokes all tokens of a user so far: every server rejects them within a second, and ends their streams.
   *
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.revokeTokens("kim_01");
   */
  revokeTokens(userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.revokeTokens", { path: { user_id: userId } }, options);
  }

  /**
   * Suspends a user: its sends, joins and reactions in every channel are rejected until the suspension ends.
   * Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param suspension Until when, without end if absent, and why.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { suspended_until } = await chat.users.suspend("park_03", { reason: "Advertising" });
   */
  suspend(userId: string, suspension?: Suspension, options?: CallOptions): Promise<User> {
    const input = {
      path: { user_id: userId },
      ...(suspension !== undefined && { body: suspension }),
    };
    return this.#api.call("users.suspend", input, options);
  }

  /**
   * Ends the suspension of a user. Nothing changes if there is none. Throws `NotFoundError` when the user does not exist.
   *
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.users.unsuspend("park_03");
   */
  unsuspend(userId: string, options?: CallOptions): Promise<User> {
    return this.#api.call("users.unsuspend", { path: { user_id: userId } }, options);
  }
}

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
  async delete(userId: string, keys: readonly string[], options?: CallOptions): Promise<User> {
    const path = { user_id: userId };
    if (!this.#api.bodilessDeletes)
      return this.#api.call("users.meta.delete", { path, body: { keys } }, options);
    const last = await deleteEach(keys, options, (key, own) =>
      this.#api.call("users.meta.deleteKey", { path: { ...path, key } }, own),
    );
    return last ?? this.#api.call("users.get", { path }, options);
  }
}
