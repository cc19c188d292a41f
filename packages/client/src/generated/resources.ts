// Generated from @madang/contract by `pnpm run generate`. Do not edit.

import type { Additions, Announcement, AnnouncementResults, Appended, AuditEntry, Ban, Block, CallingKey, Channel, ChannelBan, ChannelChange, ChannelRetention, CreatedFile, DailyUsage, DeliveryAttempt, Device, Devices, Edit, Erasure, EventQueue, Filter, FilterChange, FilterList, FilterTrial, FilterTrialResult, FilterWithWords, Finish, Hook, HookChange, HookList, HookWithAttempts, HookWithSecret, ImportResult, ImportedMessage, MemberEntry, MemberState, Message, MessageReactions, MessageReaders, NewAppend, NewBan, NewDevice, NewErasure, NewFile, NewFilter, NewHook, NewReport, NewSignal, NewSubKey, NewUser, NewWebhook, Participant, Person, PersonalBan, PersonalBlock, PersonalDevice, PersonalFile, PersonalMembership, PersonalMention, PersonalMute, PersonalReaction, PingResult, PreferencesChange, PresenceList, PushServices, PushSettings, Reaction, ReadState, Report, ReportChange, StoredFile, SubKey, Suspension, Unread, User, UserChange, UserChannel, UserToken, Webhook, WebhookChange, WebhookWithSecret } from "./types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions, Page } from "../paging/page";
import type { Pager } from "../paging/pager";
import { readUserPage } from "../paging/user-pages";
import type { Api } from "../resources/api";
import { deleteEach } from "../resources/delete-each";

/** The parameters of `users.list`. */
export interface UserFilter extends ListOptions {
  /** The number of entries per page: 5 to 30, default 15. */
  pageSize?: number | undefined;
  /** Only users with exactly this name. */
  name?: string | undefined;
  /** Only users whose name begins with this text (case-sensitive), ordered by name (code points), then oldest first. */
  name_prefix?: string | undefined;
  /** Only users whose name has these words one after the other, the last one perhaps incomplete: `min j` finds `Kim Min-ji`. Words are runs of letters and digits, compared as the search of messages does it; a text without any finds the names that contain it. Ordered as with `name_prefix`, but the first page begins with the one whose id this is, or that `ids.encode` of the SDK makes of it. A request reads for a limited time: a page may have fewer users than `pageSize`, or none, and still a `nextCursor`. */
  q?: string | undefined;
  /** Only these users, in this order, without those that do not exist: 1 to 50 ids. Sent without other parameters; duplicates count once. */
  user_ids?: readonly string[] | undefined;
  /** Only users created before this one. The response is then an array. */
  base_user_id?: string | undefined;
}

/** The parameters of `users.bans`. */
export interface UserBanRange extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `users.blocks.list`. */
export interface UsersBlocksListQuery extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `users.channels`. */
export interface InboxFilter extends ListOptions {
  /** The number of entries per page: 5 to 30, default 15. */
  pageSize?: number | undefined;
  /** Whether to list only channels with unread messages. Default: `false`. */
  unread?: boolean | undefined;
  /** Whether to list the hidden channels instead. Default: `false`. */
  hidden?: boolean | undefined;
  /** Whether to list the archived channels instead. Default: `false`. */
  archived?: boolean | undefined;
  /** Whether to list only the pinned channels. Default: `false`. */
  pinned?: boolean | undefined;
  /** Whether each channel shows its first 10 participants, so that a list of direct messages needs no further call. Default: `false`. */
  members?: boolean | undefined;
  /** Only these channels, in this order, without those that do not exist: 1 to 50 ids. Sent without other parameters except `members`; duplicates count once. */
  channel_ids?: readonly string[] | undefined;
}

/** The parameters of `users.messages`. */
export interface UserMessageRange extends ListOptions {
  /** Only messages at or after this time, in milliseconds. */
  since?: number | undefined;
  /** Only messages before this time, in milliseconds. */
  until?: number | undefined;
  /** The maximum number of messages per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `users.searchMessages`. */
export interface UserMessageQuery extends ListOptions {
  /** 1 to 8 terms, separated by white space: 1 to 100 characters. A message is found if its content or the name of its file contains every term, in any case and anywhere in a word. */
  q?: string | undefined;
  /** The maximum number of messages per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `channels.list`. */
export interface ChannelFilter extends ListOptions {
  /** The number of entries per page: 5 to 30, default 15. */
  pageSize?: number | undefined;
  /** Only channels whose name begins with this text (case-sensitive), ordered by name (code points), then oldest first. */
  name_prefix?: string | undefined;
  /** Only channels whose name has these words one after the other, the last one perhaps incomplete: `min j` finds `Kim Min-ji`. Words are runs of letters and digits, compared as the search of messages does it; a text without any finds the names that contain it. Ordered as with `name_prefix`, but the first page begins with the one whose id this is, or that `ids.encode` of the SDK makes of it. A request reads for a limited time: a page may have fewer channels than `pageSize`, or none, and still a `nextCursor`. */
  q?: string | undefined;
  /** Only these channels, in this order, without those that do not exist: 1 to 50 ids. Sent without other parameters; duplicates count once. */
  channel_ids?: readonly string[] | undefined;
}

/** The parameters of `channels.bans.list`. */
export interface BanListOptions extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `channels.pins`. */
export interface PinRange extends ListOptions {
  /** A user: reactions then have `own`, whether this user has them. With a user's token or key, always the user itself. */
  as_user?: string | undefined;
}

/** The parameters of `messages.searchAll`. */
export interface MessageQuery extends ListOptions {
  /** 1 to 8 terms, separated by white space: 1 to 100 characters. A message is found if its content or the name of its file contains every term, in any case and anywhere in a word. */
  q?: string | undefined;
  /** Only messages of this sender. */
  user_id?: string | undefined;
  /** The maximum number of messages per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `messages.list`. */
export interface MessageRange extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
  /** Only messages older than this one. The page holds the newest of them. */
  before?: string | undefined;
  /** Only messages newer than this one. The page holds the oldest of them. */
  after?: string | undefined;
  /** The page holds this message in its middle. One half may be shorter. */
  around?: string | undefined;
  /** Only these messages, in this order, without those that do not exist: 1 to 50 ids. Sent without other parameters except `as_user`; duplicates count once. */
  message_ids?: readonly string[] | undefined;
  /** Only these messages with these ids of the application, in this order, without those that do not exist: 1 to 50 ids. Sent without other parameters except `as_user`; duplicates count once. */
  external_ids?: readonly string[] | undefined;
  /** A user: reactions then have `own`, whether this user has them. With a user's token or key, always the user itself. */
  as_user?: string | undefined;
}

/** The parameters of `messages.get`. */
export interface MessageView {
  /** A user: reactions then have `own`, whether this user has them. With a user's token or key, always the user itself. */
  as_user?: string | undefined;
}

/** The parameters of `messages.replies`. */
export interface ReplyRange extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
  /** A user: reactions then have `own`, whether this user has them. With a user's token or key, always the user itself. */
  as_user?: string | undefined;
}

/** The parameters of `messages.reactions.list`. */
export interface ReactionListOptions extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `events.list`. */
export interface EventsListQuery {
  /** A cursor: only events after it. `latest`: only events from now on. Absent: from the oldest event that is stored. */
  after?: string | undefined;
  /** Only events of these types: names, separated by commas. */
  types?: string | undefined;
  /** `invisible`: this request does not make its user online. By default, a user is online while one of its tokens waits for events. */
  presence?: "invisible" | undefined;
  /** Only events of this channel. */
  channel_id?: string | undefined;
  /** The maximum number of events: 1 to 500, default 100. */
  pageSize?: number | undefined;
  /** If there are no events, the maximum number of seconds to wait for one: 0 to 25. Waiting requests count toward the limit of streams. Default: `0`. */
  wait?: number | undefined;
}

/** The parameters of `exports.messages`. */
export interface ExportsMessagesQuery extends ListOptions {
  /** The number of entries per page: 100 to 1,000, default 100. */
  pageSize?: number | undefined;
  /** The first day of the range, inclusive. */
  start_date?: string | undefined;
  /** The last day of the range, inclusive. */
  end_date?: string | undefined;
  /** `UTC`, or a name of the IANA time zone database in the form `Area/City`. Default: `UTC`. */
  timezone?: string | undefined;
}

/** The parameters of `webhooks.attempts`. */
export interface AttemptListOptions extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `reports.list`. */
export interface ReportListOptions extends ListOptions {
  /** Only reports with this status. */
  status?: "open" | "resolved" | undefined;
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `audit.list`. */
export interface AuditListOptions extends ListOptions {
  /** Only calls with this sub key. */
  key_id?: string | undefined;
  /** Only calls that name this user, change one of their messages, or act as this user. */
  user_id?: string | undefined;
  /** Only calls that name this channel. */
  channel_id?: string | undefined;
  /** Only calls of this operation. */
  operation?: string | undefined;
  /** Only entries at or after this time, in milliseconds. */
  from?: number | undefined;
  /** Only entries before this time, in milliseconds. */
  to?: number | undefined;
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `privacy.list`. */
export interface ErasureListOptions extends ListOptions {
  /** The number of entries per page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** The parameters of `privacy.export`. */
export interface PersonalPageOptions extends ListOptions {
  /** The maximum number of entries in each list of a page: 1 to 1,000, default 100. */
  pageSize?: number | undefined;
}

/** The parameters of `usage.daily`. */
export interface UsageDailyQuery {
  /** How many days, up to today: 1 to 365, default 30. Default: `30`. */
  days?: number | undefined;
}

/** The parameters of `presence.list`. */
export interface PresenceListQuery {
  /** Only these users, in this order, without those that do not exist: 1 to 100 ids. Sent without other parameters; duplicates count once. */
  user_ids: readonly string[];
}

/** A page of `chat.messages.list`. Messages of a channel, newest first, with a cursor in each direction. */
export interface MessageListPage extends Page<Message> {
  /**
   * The cursor of the messages that come after the newest one of this page, including those that do not exist yet. Sent as
   * `cursor`. Absent only with `message_ids` and `external_ids`.
   */
  readonly newer?: string;
}

/** A page of `chat.privacy.export`. A page of what is stored about a user. `next` is present when there is another page. */
export interface PersonalPage extends Page<Message> {
  /** The user of this page. The pages of one user follow each other. */
  readonly user: Person;
  /** The next memberships and manager roles of the user, oldest first. */
  readonly memberships: PersonalMembership[];
  /** The next reactions of the user, oldest first. */
  readonly reactions: PersonalReaction[];
  /** The next messages that mention the user, by channel, oldest first. */
  readonly mentions: PersonalMention[];
  /** The next mutes of the user, by channel. */
  readonly mutes: PersonalMute[];
  /** The next bans of the user, by channel. */
  readonly bans: PersonalBan[];
  /** The next reports about the user, about a message of the user, or by the user, oldest first. */
  readonly reports: Report[];
  /** The next files of the user, oldest first. */
  readonly files: PersonalFile[];
  /** The next devices of the user, oldest first. */
  readonly devices: PersonalDevice[];
  /** The next users whom the user has blocked, oldest first. */
  readonly blocks: PersonalBlock[];
}

/** `chat.users.meta`: key-value metadata of a user. */
export class UserMeta {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Adds or changes metadata of a user.
   *
   * Merges the pairs into the user's metadata, all or nothing: the result may hold at most 10 pairs.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param meta Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes;
   * a value is a string of at most 200 bytes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @throws `ConflictError`: `meta_limit_exceeded`.
   * @example const user = await chat.users.meta.merge("kim_01", { team: "blue" });
   */
  merge(userId: string, meta: Record<string, string>, options?: CallOptions): Promise<User> {
    return this.#api.call("users.meta.merge", { path: { user_id: userId }, body: { meta } }, options);
  }

  /**
   * Deletes metadata of a user.
   *
   * Deletes the named keys. Keys that do not exist are ignored.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param keys The keys to delete.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const user = await chat.users.meta.delete("kim_01", ["team", "floor"]);
   */
  delete(userId: string, keys: readonly string[], options?: CallOptions): Promise<User> {
    if (this.#api.bodilessDeletes)
      return deleteEach(
        keys,
        options,
        (key, options) => this.#api.call("users.meta.deleteKey", { path: { user_id: userId, key } }, options),
        () => this.#api.call("users.get", { path: { user_id: userId } }, options),
      );
    return this.#api.call("users.meta.delete", { path: { user_id: userId }, body: { keys } }, options);
  }
}

/** `chat.users.blocks`: the users whom a user has blocked. */
export class UserBlocks {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the users whom a user has blocked.
   *
   * The newest block first. Nobody learns who has blocked whom but the user itself and the application.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const block of chat.users.blocks.list("kim_01", { pageSize: 30 })) console.log(block);
   */
  list(userId: string, query: UsersBlocksListQuery = {}, options?: CallOptions): Pager<Block> {
    return createPager(this.#api, "users.blocks.list", query, options, {
      path: { user_id: userId },
      read: ({ blocks, next }) => ({ items: blocks, next }),
    });
  }

  /**
   * Blocks a user.
   *
   * In a channel in which only these two were ever participants, and nobody a manager, new messages, edits, reactions, files
   * and signals of both are rejected with `user_blocked`, also with a key of the application; system messages are not. In
   * every other channel, messages of the blocked user are stored and listed, but do not count as unread for the one who
   * blocked, and mention nobody; signals and appends do not reach its streams. Blocking twice changes nothing. A user blocks
   * at most 1,000 others.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param blockedUserId The user who is blocked.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @throws `ConflictError`: `block_limit_exceeded`.
   * @example await chat.users.blocks.add("kim_01", "park_03");
   */
  add(userId: string, blockedUserId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.blocks.add", { path: { user_id: userId, blocked_user_id: blockedUserId } }, options);
  }

  /**
   * Ends a block.
   *
   * Messages of the other user count again, old ones too. Without a block, nothing changes.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param blockedUserId The user who is blocked.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example await chat.users.blocks.remove("kim_01", "park_03");
   */
  remove(userId: string, blockedUserId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.blocks.remove", { path: { user_id: userId, blocked_user_id: blockedUserId } }, options);
  }
}

/** `chat.users.devices`: the devices to which messages for a user are pushed: at most 25. */
export class UserDevices {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the devices of a user.
   *
   * All devices by their last registration, newest first. Tokens, endpoints and keys are never shown.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const { devices } = await chat.users.devices.list("kim_01");
   */
  list(userId: string, options?: CallOptions): Promise<Devices> {
    return this.#api.call("users.devices.list", { path: { user_id: userId } }, options);
  }

  /**
   * Registers a device.
   *
   * From now on, messages for the user are pushed to the device. An app calls it at every start, with the same id. A user
   * has at most 25 devices: a further one replaces the one whose last registration is the oldest. A token or endpoint
   * belongs to one device: registered for another user or id, it leaves the first.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param deviceId The id of a device: 1 to 80 letters, digits, `_` and `-`, chosen by the app. The same at every start of
   * the app.
   * @param device A device to register.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @throws `ConflictError`: `push_not_configured`.
   * @example const device = await chat.users.devices.register("kim_01", "phone-1", {
   *   provider: "webpush",
   *   endpoint: "https://push.example.com/send/cXVp",
   *   keys: {
   *     p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
   *     auth: "BTBZMqHH6r4Tts7J_aSIgg",
   *   },
   *   locale: "ko-KR",
   * });
   */
  register(userId: string, deviceId: string, device: NewDevice, options?: CallOptions): Promise<Device> {
    return this.#api.call("users.devices.register", { path: { user_id: userId, device_id: deviceId }, body: device }, options);
  }

  /**
   * Removes a device.
   *
   * When the person signs out. From one second after the response, nothing is pushed to the device. Also succeeds when there
   * is no such device.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param deviceId The id of a device: 1 to 80 letters, digits, `_` and `-`, chosen by the app. The same at every start of
   * the app.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example await chat.users.devices.remove("kim_01", "phone-1");
   */
  remove(userId: string, deviceId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.devices.remove", { path: { user_id: userId, device_id: deviceId } }, options);
  }

  /**
   * Sends a test push to a device.
   *
   * Pushes a notification without a message, and returns what the push service responded. Takes up to 15 seconds. The
   * response is also the `last_push` of the device, and removes one that its push service does not know. Each request pushes
   * again: an `Idempotency-Key` has no effect.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param deviceId The id of a device: 1 to 80 letters, digits, `_` and `-`, chosen by the app. The same at every start of
   * the app.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`, `device_not_found`.
   * @throws `ConflictError`: `push_not_configured`.
   * @example const result = await chat.users.devices.ping("kim_01", "phone-1");
   */
  ping(userId: string, deviceId: string, options?: CallOptions): Promise<PingResult> {
    return this.#api.call("users.devices.ping", { path: { user_id: userId, device_id: deviceId } }, options);
  }
}

/** `chat.channels.members`: the participants of a channel: at most 100 users. */
export class ChannelMembers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the participants of a channel.
   *
   * All participants by `joined_at`, oldest first.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const members = await chat.channels.members.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<Participant[]> {
    return this.#api.call("channels.members.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Gets a participant of a channel.
   *
   * The entry of the list, with the read mark and the number of unread messages.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `member_not_found`.
   * @example const state = await chat.channels.members.get("room_1", "kim_01");
   */
  get(channelId: string, userId: string, options?: CallOptions): Promise<MemberState> {
    return this.#api.call("channels.members.get", { path: { channel_id: channelId, user_id: userId } }, options);
  }

  /**
   * Adds a user to a channel.
   *
   * A channel has at most 100 participants. Joining twice changes nothing.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param member The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `user_banned`, `user_suspended`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @throws `ConflictError`: `member_limit_exceeded`.
   * @example await chat.channels.members.join("room_1", "park_03");
   */
  join(channelId: string, member: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.members.join", { path: { channel_id: channelId }, body: { member } }, options);
  }

  /**
   * Adds users to a channel.
   *
   * Adds all users or none: if one does not exist, is banned or suspended, or if the channel would have more than 100
   * participants, nothing changes. Users who are participants already do not count.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param members The ids of 1 to 100 users. Duplicates count once.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `user_banned`, `user_suspended`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @throws `ConflictError`: `member_limit_exceeded`.
   * @example const additions = await chat.channels.members.addMany("room_1", ["kim_01", "park_03"]);
   */
  addMany(channelId: string, members: readonly string[], options?: CallOptions): Promise<Additions> {
    return this.#api.call("channels.members.addMany", { path: { channel_id: channelId }, body: { members } }, options);
  }

  /**
   * Removes a user from a channel.
   *
   * Removing a user who is not a participant changes nothing. Leaving does not end a manager role.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param member The participant. With a user's token or key, the user itself, and may be left out.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example await chat.channels.members.leave("room_1", "park_03");
   */
  leave(channelId: string, member?: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.members.leave", { path: { channel_id: channelId }, body: member === undefined ? undefined : { member } }, options);
  }

  /**
   * Marks messages as read.
   *
   * Marks everything up to and including `messageId` as read by the participant, or everything so far if it is omitted. The
   * mark only moves forward. Sending a message does not move it; leaving the channel removes it.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The newest message that was read. It may be deleted.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `not_a_participant`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `message_not_found`.
   * @example const state = await chat.channels.members.markRead("room_1", "kim_01", "1700000000000-1041");
   */
  markRead(channelId: string, userId: string, messageId?: string, options?: CallOptions): Promise<ReadState> {
    return this.#api.call("channels.members.markRead", { path: { channel_id: channelId, user_id: userId }, body: messageId === undefined ? undefined : { message_id: messageId } }, options);
  }

  /**
   * Sets the preferences of a participant.
   *
   * Fields that are absent keep their value. A hidden channel comes back with its next message; an archived one when
   * `archived` is `false`. Pinned, hidden and archived exclude each other: the latest one ends the others. A user has at
   * most 20 pinned channels. Leaving the channel ends its preferences.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param change A change of the preferences of a participant for a channel. Optionally `notify`, `quiet_until`, `hidden`,
   * `archived`, `pinned`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `not_a_participant`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @throws `ConflictError`: `pin_limit_exceeded`.
   * @example const channel = await chat.channels.members.setPreferences("room_1", "kim_01", { notify: "mentions", pinned: true });
   */
  setPreferences(channelId: string, userId: string, change: PreferencesChange, options?: CallOptions): Promise<UserChannel> {
    return this.#api.call("channels.members.setPreferences", { path: { channel_id: channelId, user_id: userId }, body: change }, options);
  }

  /**
   * Mutes a participant.
   *
   * Rejects sends and reactions of the participant with `member_muted`, also if it is a manager. Leaving the channel does
   * not end a mute. A later mute replaces the earlier one.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param until When it ends, in milliseconds since the Unix epoch, UTC. Absent: without end.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `member_not_found`.
   * @example await chat.channels.members.mute("room_1", "kim_01", Date.now() + 3_600_000);
   */
  mute(channelId: string, userId: string, until?: number, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.members.mute", { path: { channel_id: channelId, user_id: userId }, body: until === undefined ? undefined : { until } }, options);
  }

  /**
   * Unmutes a user.
   *
   * Ends a mute, also of a user who has left the channel. Without a mute, nothing changes.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example await chat.channels.members.unmute("room_1", "kim_01");
   */
  unmute(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.members.unmute", { path: { channel_id: channelId, user_id: userId } }, options);
  }
}

/** `chat.channels.managers`: the managers of a channel, who may send messages while it is frozen: at most 10 users. */
export class ChannelManagers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the managers of a channel.
   *
   * All managers by the time of registration, oldest first.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const managers = await chat.channels.managers.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<MemberEntry[]> {
    return this.#api.call("channels.managers.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Registers a manager.
   *
   * A channel has at most 10 managers. A manager need not be a participant. Registering twice changes nothing.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param manager The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `user_banned`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @throws `ConflictError`: `manager_limit_exceeded`.
   * @example await chat.channels.managers.add("room_1", "kim_01");
   */
  add(channelId: string, manager: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.managers.add", { path: { channel_id: channelId }, body: { manager } }, options);
  }

  /**
   * Removes a manager.
   *
   * Ends the manager role. A manager who is also a participant remains one.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param manager The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `manager_not_found`.
   * @example await chat.channels.managers.remove("room_1", "kim_01");
   */
  remove(channelId: string, manager: string, options?: CallOptions): Promise<void> {
    if (this.#api.bodilessDeletes) return this.#api.call("channels.managers.removeByPath", { path: { channel_id: channelId, user_id: manager } }, options);
    return this.#api.call("channels.managers.remove", { path: { channel_id: channelId }, body: { manager } }, options);
  }
}

/** `chat.channels.meta`: key-value metadata of a channel. */
export class ChannelMeta {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Adds or changes metadata of a channel.
   *
   * Merges the pairs into the channel's metadata, all or nothing: the result may hold at most 10 pairs.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param meta Key-value pairs: at most 10. A key consists of letters A-Z and a-z, Hangul, `_` and `-`, at most 100 bytes;
   * a value is a string of at most 200 bytes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @throws `ConflictError`: `meta_limit_exceeded`.
   * @example const channel = await chat.channels.meta.merge("room_1", { team: "blue" });
   */
  merge(channelId: string, meta: Record<string, string>, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.meta.merge", { path: { channel_id: channelId }, body: { meta } }, options);
  }

  /**
   * Deletes metadata of a channel.
   *
   * Deletes the named keys. Keys that do not exist are ignored.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param keys The keys to delete.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.meta.delete("room_1", ["team", "floor"]);
   */
  delete(channelId: string, keys: readonly string[], options?: CallOptions): Promise<Channel> {
    if (this.#api.bodilessDeletes)
      return deleteEach(
        keys,
        options,
        (key, options) => this.#api.call("channels.meta.deleteKey", { path: { channel_id: channelId, key } }, options),
        () => this.#api.call("channels.get", { path: { channel_id: channelId } }, options),
      );
    return this.#api.call("channels.meta.delete", { path: { channel_id: channelId }, body: { keys } }, options);
  }
}

/** `chat.channels.bans`: the users who cannot be participants or managers of a channel. */
export class ChannelBans {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the bans of a channel.
   *
   * The bans that are in force, newest first. A user sees only those of users who are known in the channel.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example for await (const { user, reason } of chat.channels.bans.list("room_1")) console.log(user.name, reason);
   */
  list(channelId: string, query: BanListOptions = {}, options?: CallOptions): Pager<Ban> {
    return createPager(this.#api, "channels.bans.list", query, options, {
      path: { channel_id: channelId },
      read: ({ bans, next }) => ({ items: bans, next }),
    });
  }

  /**
   * Bans a user from a channel.
   *
   * Ends the membership and the manager role of the user. Until the ban ends, joining, being added, becoming a manager and
   * sending are rejected with `user_banned`. The user need not be a participant. With a token or a key of a user, it must be
   * known in the channel: a participant or manager, one who is muted or was banned, or the sender of one of its messages. A
   * ban with other values replaces the earlier one.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param ban Until when to ban, and why. Optionally `until`, `reason`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example await chat.channels.bans.add("room_1", "kim_01", { reason: "Advertising" });
   */
  add(channelId: string, userId: string, ban?: NewBan, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.bans.add", { path: { channel_id: channelId, user_id: userId }, body: ban }, options);
  }

  /**
   * Removes a ban.
   *
   * The user can join again. Without a ban, nothing changes.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example await chat.channels.bans.remove("room_1", "kim_01");
   */
  remove(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.bans.remove", { path: { channel_id: channelId, user_id: userId } }, options);
  }
}

/** `chat.messages.reactions`: reactions to a message: at most 20 different ones, one of each for each user. */
export class Reactions {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the reactions to a message.
   *
   * Each reaction with its user, oldest first.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @example for await (const { reaction, user } of chat.messages.reactions.list("room_1", "1700000000000-1041")) console.log(reaction, user.name);
   */
  list(channelId: string, messageId: string, query: ReactionListOptions = {}, options?: CallOptions): Pager<Reaction> {
    return createPager(this.#api, "messages.reactions.list", query, options, {
      path: { channel_id: channelId, message_id: messageId },
      read: ({ reactions, next }) => ({ items: reactions, next }),
    });
  }

  /**
   * Adds a reaction to a message.
   *
   * The user must be a participant or a manager; in a frozen channel, a manager. A message has at most 20 different
   * reactions. Adding a reaction that the user has already changes nothing. A reaction changes neither `updated_at` nor
   * unread counts nor the order of the channels of a user.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param reaction A reaction, such as an emoji: 1 to 32 characters without white space and control characters, not `.` or
   * `..`. It is stored, and compared, in the normal form NFC.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `not_a_participant`, `member_muted`, `user_banned`, `user_suspended`,
   * `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `message_not_found`.
   * @throws `ConflictError`: `reaction_limit_exceeded`.
   * @example const { reactions } = await chat.messages.reactions.add("room_1", "1700000000000-1041", "👍", "kim_01");
   */
  add(channelId: string, messageId: string, reaction: string, userId: string, options?: CallOptions): Promise<MessageReactions> {
    return this.#api.call("messages.reactions.add", { path: { channel_id: channelId, message_id: messageId, reaction, user_id: userId } }, options);
  }

  /**
   * Removes a reaction from a message.
   *
   * Removes the reaction of one user, whatever this user may do now. Removing what is not there changes nothing.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param reaction A reaction, such as an emoji: 1 to 32 characters without white space and control characters, not `.` or
   * `..`. It is stored, and compared, in the normal form NFC.
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `message_not_found`.
   * @example const { reactions } = await chat.messages.reactions.remove("room_1", "1700000000000-1041", "👍", "kim_01");
   */
  remove(channelId: string, messageId: string, reaction: string, userId: string, options?: CallOptions): Promise<MessageReactions> {
    return this.#api.call("messages.reactions.remove", { path: { channel_id: channelId, message_id: messageId, reaction, user_id: userId } }, options);
  }
}

/** What is generated of `chat.users`. */
export class BaseUsers {
  readonly #api: Api;
  /** Key-value metadata of a user. */
  readonly meta: UserMeta;
  /** The users whom a user has blocked. */
  readonly blocks: UserBlocks;
  /** The devices to which messages for a user are pushed: at most 25. */
  readonly devices: UserDevices;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.meta = new UserMeta(api);
    this.blocks = new UserBlocks(api);
    this.devices = new UserDevices(api);
  }

  /**
   * Lists users.
   *
   * Users, newest first; with `q` or `name_prefix` by name, with `user_ids` in their order. With `q`, a page may have fewer
   * users than `pageSize`, or none, and still a `nextCursor`. A loop over the items goes on by itself.
   *
   * @param query `name`, `name_prefix`, `q`, `user_ids`, `base_user_id`; where to begin, and the page size: 5 to 30, default
   * 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const user of chat.users.list({ name: "Kim" })) console.log(user.user_id);
   */
  list(query: UserFilter = {}, options?: CallOptions): Pager<User> {
    return createPager(this.#api, "users.list", query, options, {
      read: readUserPage,
    });
  }

  /**
   * Gets a user.
   *
   * The user with this id, including metadata.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const user = await chat.users.get("kim_01");
   */
  get(userId: string, options?: CallOptions): Promise<User> {
    return this.#api.call("users.get", { path: { user_id: userId } }, options);
  }

  /**
   * Creates a user.
   *
   * The application chooses the id, which never changes.
   *
   * @param user A user to create. `user_id`, `name`; optionally `profile_url`, `meta`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `ConflictError`: `user_exists`.
   * @example const user = await chat.users.create({ user_id: "kim_01", name: "Kim", meta: { team: "blue" } });
   */
  create(user: NewUser, options?: CallOptions): Promise<User> {
    return this.#api.call("users.create", { body: user }, options);
  }

  /**
   * Updates a user.
   *
   * Sets the name. An omitted `profile_url` keeps its value; the empty string clears it.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param change The new values of a user. `name`; optionally `profile_url`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const user = await chat.users.update("kim_01", { name: "Kim" });
   */
  update(userId: string, change: UserChange, options?: CallOptions): Promise<User> {
    return this.#api.call("users.update", { path: { user_id: userId }, body: change }, options);
  }

  /**
   * Deletes a user.
   *
   * Ends the user's memberships and manager roles. Messages stay, and exports continue to show the sender's last state. The
   * id may be created again; it is then a different user.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example await chat.users.delete("kim_01");
   */
  delete(userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.delete", { path: { user_id: userId } }, options);
  }

  /**
   * Suspends a user.
   *
   * Sends, joins and reactions of the user in every channel are rejected with `user_suspended`. Memberships and manager
   * roles stay. A suspension with other values replaces the earlier one.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param suspension Until when to suspend, and why. Optionally `until`, `reason`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const user = await chat.users.suspend("kim_01", { reason: "Advertising" });
   */
  suspend(userId: string, suspension?: Suspension, options?: CallOptions): Promise<User> {
    return this.#api.call("users.suspend", { path: { user_id: userId }, body: suspension }, options);
  }

  /**
   * Ends the suspension of a user.
   *
   * Without a suspension, nothing changes.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const user = await chat.users.unsuspend("kim_01");
   */
  unsuspend(userId: string, options?: CallOptions): Promise<User> {
    return this.#api.call("users.unsuspend", { path: { user_id: userId } }, options);
  }

  /**
   * Lists the bans of a user.
   *
   * The channels from which the user is banned now, the newest ban first.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const { channel, reason } of chat.users.bans("park_03")) console.log(channel.name, reason);
   */
  bans(userId: string, query: UserBanRange = {}, options?: CallOptions): Pager<ChannelBan> {
    return createPager(this.#api, "users.bans", query, options, {
      path: { user_id: userId },
      read: ({ bans, next }) => ({ items: bans, next }),
    });
  }

  /**
   * Creates a token of a user.
   *
   * For the browser or the app of the person who is signed in to the application: a request with the token acts as this user
   * and has the rights of the user alone. The token ends with its time, with the key that created it, with
   * `users.revokeTokens` and with the deletion of the user. Nothing is stored for it, so an `Idempotency-Key` has no effect.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param expiresIn After how many seconds the token expires: 60 to 86,400, default 3,600.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const token = await chat.users.createToken("kim_01", 3600);
   */
  createToken(userId: string, expiresIn?: number, options?: CallOptions): Promise<UserToken> {
    return this.#api.call("users.createToken", { path: { user_id: userId }, body: expiresIn === undefined ? undefined : { expires_in: expiresIn } }, options);
  }

  /**
   * Revokes the tokens of a user.
   *
   * Every server process rejects all tokens that were created for the user so far within one second, and ends their streams.
   * Keys of the user keep working.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example await chat.users.revokeTokens("kim_01");
   */
  revokeTokens(userId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("users.revokeTokens", { path: { user_id: userId } }, options);
  }

  /**
   * Lists the channels of a user.
   *
   * Every channel in which the user is a participant, by last activity: the time of the last message, otherwise the time the
   * user joined. Newest first. A channel that becomes active while pages are read moves to the first page. Hidden and
   * archived channels are left out: `hidden`, `archived` and `pinned` list just those. With `channel_ids`, the entries of
   * those channels in which the user is a participant, hidden and archived ones too, and `next` only if they have more than
   * about a megabyte.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `unread`, `hidden`, `archived`, `pinned`, `members`, `channel_ids`; where to begin, and the page size: 5 to
   * 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const channel of chat.users.channels("kim_01")) console.log(channel.name, channel.unread_count);
   */
  channels(userId: string, query: InboxFilter = {}, options?: CallOptions): Pager<UserChannel> {
    return createPager(this.#api, "users.channels", query, options, {
      path: { user_id: userId },
      read: ({ channels, next }) => ({ items: channels, next }),
    });
  }

  /**
   * Counts the unread messages of a user.
   *
   * Over all channels in which the user is a participant. A channel is quiet while `notify` is `none`, until `quiet_until`,
   * and while it is archived or hidden; see `channels.members.setPreferences`.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const unread = await chat.users.unread("kim_01");
   */
  unread(userId: string, options?: CallOptions): Promise<Unread> {
    return this.#api.call("users.unread", { path: { user_id: userId } }, options);
  }

  /**
   * Lists the messages of a user.
   *
   * What a user wrote in all channels, newest first. For operators: the master key, or a key with the scope
   * `users.messages`. Messages of deleted channels are left out. A request reads for a limited time: a page may have fewer
   * messages than `pageSize`, or none, and still a `nextCursor`. A loop over the items goes on by itself.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `since`, `until`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const message of chat.users.messages("kim_01")) console.log(message.channel_id, message.created_at);
   */
  messages(userId: string, query: UserMessageRange = {}, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "users.messages", query, options, {
      path: { user_id: userId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Searches the messages of all channels of a user.
   *
   * Searches every channel in which the user is a participant. A message is found as soon as its send was acknowledged, an
   * edited one by its new text only. Text is compared after NFKC and full case folding, without invisible characters;
   * letters of Korean that stand alone, as in `ㅠㅠ`, join no others. A request reads for a limited time: a page may have
   * fewer messages than `pageSize`, or none, and still a `nextCursor`. Newest first. A loop over the items goes on by
   * itself.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `q`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const message of chat.users.searchMessages("kim_01", { q: "noon" })) console.log(message);
   */
  searchMessages(userId: string, query: UserMessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "users.searchMessages", query, options, {
      path: { user_id: userId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }
}

/** What is generated of `chat.channels`. */
export class BaseChannels {
  readonly #api: Api;
  /** The participants of a channel: at most 100 users. */
  readonly members: ChannelMembers;
  /** The managers of a channel, who may send messages while it is frozen: at most 10 users. */
  readonly managers: ChannelManagers;
  /** Key-value metadata of a channel. */
  readonly meta: ChannelMeta;
  /** The users who cannot be participants or managers of a channel. */
  readonly bans: ChannelBans;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.members = new ChannelMembers(api);
    this.managers = new ChannelManagers(api);
    this.meta = new ChannelMeta(api);
    this.bans = new ChannelBans(api);
  }

  /**
   * Lists group channels.
   *
   * Channels by creation time, newest first; with `q` or `name_prefix` by name, with `channel_ids` in their order. With `q`,
   * a page may have fewer channels than `pageSize`, or none, and still a `nextCursor`. A loop over the items goes on by
   * itself.
   *
   * @param query `name_prefix`, `q`, `channel_ids`; where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const channel of chat.channels.list()) console.log(channel.name);
   */
  list(query: ChannelFilter = {}, options?: CallOptions): Pager<Channel> {
    return createPager(this.#api, "channels.list", query, options, {
      read: ({ channels, next }) => ({ items: channels, next }),
    });
  }

  /**
   * Gets a group channel.
   *
   * The channel, without its participants.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.get("room_1");
   */
  get(channelId: string, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.get", { path: { channel_id: channelId } }, options);
  }

  /**
   * Updates a group channel.
   *
   * Sets the name. An omitted `profile_url` keeps its value; the empty string clears it.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param change The new values of a channel. `name`; optionally `profile_url`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.update("room_1", { name: "Lunch" });
   */
  update(channelId: string, change: ChannelChange, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.update", { path: { channel_id: channelId }, body: change }, options);
  }

  /**
   * Freezes or unfreezes a channel.
   *
   * In a frozen channel, only managers may send messages. With a token or a key of a user, only managers may edit and delete
   * them.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param freeze `true` freezes, `false` unfreezes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.freeze("room_1", true);
   */
  freeze(channelId: string, freeze: boolean, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.freeze", { path: { channel_id: channelId }, body: { freeze } }, options);
  }

  /**
   * Sets how long participants wait between messages.
   *
   * A participant who sent a message less than `seconds` ago gets 429 `slow_mode` with `Retry-After`; managers are exempt,
   * and system messages too. Edits, reactions, appends and imports do not count, nor what was sent before. Deleting the
   * message or joining again does not shorten the time. 0 turns it off.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param seconds 1 to 21,600 seconds (6 hours), or 0 to turn it off.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.setSlowMode("room_1", 30);
   */
  setSlowMode(channelId: string, seconds: number, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.setSlowMode", { path: { channel_id: channelId }, body: { seconds } }, options);
  }

  /**
   * Sets how long messages are kept.
   *
   * Messages older than `days` days are erased by a background job within five minutes of being due; until then they can
   * still be read. With `null`, the setting of the server applies. While `hold` is `true`, neither retention nor the erasure
   * of a user erases messages of the channel; when the hold ends, both continue. Requires the master key or a key with the
   * scope `channels.setRetention`.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param retention How long the messages of a channel are kept. `days`, `hold`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example const channel = await chat.channels.setRetention("room_1", { days: 365, hold: false });
   */
  setRetention(channelId: string, retention: ChannelRetention, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.setRetention", { path: { channel_id: channelId }, body: retention }, options);
  }

  /**
   * Deletes a group channel.
   *
   * Deletes the channel, its members, managers and messages. The id may be created again.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`.
   * @example await chat.channels.delete("room_1");
   */
  delete(channelId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.delete", { path: { channel_id: channelId } }, options);
  }

  /**
   * Lists the pinned messages of a channel.
   *
   * All of them, at most 50, the newest pin first. A page ends after about a megabyte.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `as_user`; where to begin.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example const messages = await chat.channels.pins("room_1").toArray();
   */
  pins(channelId: string, query: PinRange = {}, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "channels.pins", query, options, {
      path: { channel_id: channelId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }
}

/** What is generated of `chat.messages`. */
export class BaseMessages {
  readonly #api: Api;
  /** Reactions to a message: at most 20 different ones, one of each for each user. */
  readonly reactions: Reactions;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.reactions = new Reactions(api);
  }

  /**
   * Searches the messages of a channel.
   *
   * A message is found as soon as its send was acknowledged, an edited one by its new text only. Text is compared after NFKC
   * and full case folding, without invisible characters; letters of Korean that stand alone, as in `ㅠㅠ`, join no others. A
   * request reads for a limited time: a page may have fewer messages than `pageSize`, or none, and still a `nextCursor`.
   * Newest first. A loop over the items goes on by itself.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `q`, `user_id`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example for await (const message of chat.messages.search("room_1", { q: "noon" })) console.log(message);
   */
  search(channelId: string, query: MessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "messages.search", query, options, {
      path: { channel_id: channelId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Searches the messages of all channels.
   *
   * For operators: the master key, or a key with the scope `messages.searchAll`. A message is found as soon as its send was
   * acknowledged, an edited one by its new text only. Text is compared after NFKC and full case folding, without invisible
   * characters; letters of Korean that stand alone, as in `ㅠㅠ`, join no others. A request reads for a limited time: a page
   * may have fewer messages than `pageSize`, or none, and still a `nextCursor`. Newest first. A loop over the items goes on
   * by itself.
   *
   * @param query `q`, `user_id`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const message of chat.messages.searchAll({ q: "noon" })) console.log(message);
   */
  searchAll(query: MessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "messages.searchAll", query, options, {
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Sends a message to several channels.
   *
   * For announcements. Each channel is independent: it gets the message exactly if `messages.send` would accept it,
   * otherwise its result has the code of the rejection. Filters and hooks check it for each channel. The response is 200 in
   * both cases. One `Idempotency-Key` covers all channels.
   *
   * @param announcement A message to send to several channels.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { results } = await chat.messages.sendMany({
   *   channel_ids: ["room_1", "room_2"],
   *   user_id: "kim_01",
   *   type: "text",
   *   content: "See you at noon.",
   * });
   */
  sendMany(announcement: Announcement, options?: CallOptions): Promise<AnnouncementResults> {
    return this.#api.call("messages.sendMany", { body: announcement }, options);
  }

  /**
   * Lists the messages of a channel.
   *
   * Without `before`, `after` or `around`, the newest messages; with `message_ids` or `external_ids` those, without `newer`,
   * and with `next` only if they have more than about a megabyte. Messages are ordered by `created_at`, and those of one
   * millisecond by their arrival: by the number after the hyphen in `message_id`. A deleted message still marks its
   * position. `next` continues with older messages. `newer` continues with messages stored since; each of its pages begins
   * with the oldest unseen message, and the page is empty when there are none yet. Following `newer` misses no message,
   * except imported ones with an older time.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query `before`, `after`, `around`, `message_ids`, `external_ids`, `as_user`; where to begin, and the page size: 1
   * to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`, `user_not_found`.
   * @example const { items, newer } = await chat.messages.list("room_1", { pageSize: 30 }).firstPage();
   */
  list(channelId: string, query: MessageRange = {}, options?: CallOptions): Pager<Message, MessageListPage> {
    return createPager(this.#api, "messages.list", query, options, {
      path: { channel_id: channelId },
      read: ({ messages, next, ...extra }) => ({ items: messages, next, extra: () => extra }),
    });
  }

  /**
   * Gets a message.
   *
   * A deleted message no longer exists.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param query `as_user`: A user: reactions then have `own`, whether this user has them. With a user's token or key,
   * always the user itself.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`, `user_not_found`.
   * @example const message = await chat.messages.get("room_1", "1700000000000-1041");
   */
  get(channelId: string, messageId: string, query: MessageView = {}, options?: CallOptions): Promise<Message> {
    return this.#api.call("messages.get", { path: { channel_id: channelId, message_id: messageId }, query }, options);
  }

  /**
   * Edits a message.
   *
   * Replaces `content`, `parts` and `meta`, each if it is sent, and sets `updated_at`; new content also sets `edited_at`. A
   * file message has no `content`. With a key of the application, a frozen channel allows it too; a user needs the right to
   * send. A message that is being written cannot be edited; new content or parts of one that was interrupted complete it.
   * With `if_updated_at`, an edit does not overwrite that of another caller.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param edit The new content, parts and metadata of a message. Optionally `content`, `parts`, `meta`, `if_updated_at`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `member_muted`, `user_suspended`, `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @throws `ConflictError`: `message_changed`, `message_streaming`.
   * @throws `ApiError`: `message_rejected`.
   * @throws `ServerError`: `check_unavailable`.
   * @example const message = await chat.messages.update("room_1", "1700000000000-1041", { content: "See you at one." });
   */
  update(channelId: string, messageId: string, edit: Edit, options?: CallOptions): Promise<Message> {
    return this.#api.call("messages.update", { path: { channel_id: channelId, message_id: messageId }, body: edit }, options);
  }

  /**
   * Lists the replies to a message.
   *
   * Oldest first. A deleted message has no list of replies.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param query `as_user`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`, `user_not_found`.
   * @example for await (const reply of chat.messages.replies("room_1", "1700000000000-1041")) console.log(reply.message_id);
   */
  replies(channelId: string, messageId: string, query: ReplyRange = {}, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "messages.replies", query, options, {
      path: { channel_id: channelId, message_id: messageId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Deletes a message.
   *
   * Erases the message from the database immediately. Lists, exports, last messages and unread counts omit it; the two
   * totals of the channel still count it. Its id still marks its position in `messages.list`. Replies to it stay, and their
   * `reply_to` names it. In a frozen channel, only the application and managers delete.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @example await chat.messages.delete("room_1", "1700000000000-1041");
   */
  delete(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("messages.delete", { path: { channel_id: channelId, message_id: messageId } }, options);
  }

  /**
   * Appends to a message.
   *
   * Continues a message that was sent with `streaming`. What was appended is stored when the response arrives. The last
   * append may be sent again. More than 50 appends a second get 429: write what has come since in one. A sender who may no
   * longer send gets the code of a send. What a filter rejects is not stored, also if it began with an earlier append; the
   * message goes on.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param append Text to append to a message. `index`, `content`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `not_a_participant`, `member_muted`, `user_banned`, `user_suspended`,
   * `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `message_not_found`.
   * @throws `ConflictError`: `message_not_streaming`, `append_out_of_order`, `content_limit_exceeded`.
   * @throws `ApiError`: `message_rejected`.
   * @example const appended = await chat.messages.append("room_1", "1700000000000-1045", { index: 0, content: "See you at noon." });
   */
  append(channelId: string, messageId: string, append: NewAppend, options?: CallOptions): Promise<Appended> {
    return this.#api.call("messages.append", { path: { channel_id: channelId, message_id: messageId }, body: append }, options);
  }

  /**
   * Finishes a message.
   *
   * Ends a message that was sent with `streaming`. Its content is what was appended, unless `content` replaces it. Emits
   * `message.updated`. Repeating the request changes nothing. Also allowed for a sender who may no longer send, but as a
   * user without `content`, `parts` and `meta`. To stop a writer, finish the message as `cancelled`: as a user, every
   * participant may. Hooks check the whole message now. A text that a check rejects is removed: the message ends as
   * `cancelled`, and the response is 422.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param finish How a message ends. `state`; optionally `content`, `parts`, `meta`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `member_muted`, `user_suspended`, `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @throws `ConflictError`: `message_not_streaming`.
   * @throws `ApiError`: `message_rejected`.
   * @throws `ServerError`: `check_unavailable`.
   * @example const message = await chat.messages.finish("room_1", "1700000000000-1045", { state: "done" });
   */
  finish(channelId: string, messageId: string, finish: Finish, options?: CallOptions): Promise<Message> {
    return this.#api.call("messages.finish", { path: { channel_id: channelId, message_id: messageId }, body: finish }, options);
  }

  /**
   * Pins a message.
   *
   * A channel has at most 50 pinned messages. Pinning a pinned message changes nothing. A frozen channel allows it too. A
   * pin does not change `updated_at`.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @throws `ConflictError`: `pin_limit_exceeded`.
   * @example await chat.messages.pin("room_1", "1700000000000-1041");
   */
  pin(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("messages.pin", { path: { channel_id: channelId, message_id: messageId } }, options);
  }

  /**
   * Unpins a message.
   *
   * Unpinning a message that is not pinned changes nothing.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @example await chat.messages.unpin("room_1", "1700000000000-1041");
   */
  unpin(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("messages.unpin", { path: { channel_id: channelId, message_id: messageId } }, options);
  }

  /**
   * Lists who has read a message.
   *
   * The participants other than the sender whose read mark is at this message or later, in the order of the list of
   * participants.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messageId The id of a message, as the service assigned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`.
   * @example const readers = await chat.messages.readers("room_1", "1700000000000-1041");
   */
  readers(channelId: string, messageId: string, options?: CallOptions): Promise<MessageReaders> {
    return this.#api.call("messages.readers", { path: { channel_id: channelId, message_id: messageId } }, options);
  }
}

/** What is generated of `chat.events`. */
export class BaseEvents {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Measures the queue of events.
   *
   * How far the feed is behind the changes. Streams, webhooks and `events.list` put changes into the feed at once; without
   * any of them, that happens every few seconds. A lag that grows means that the database is overloaded or that a
   * transaction stays open.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const queue = await chat.events.queue();
   */
  queue(options?: CallOptions): Promise<EventQueue> {
    return this.#api.call("events.queue", {}, options);
  }
}

/** `chat.imports`: import of messages from another service. */
export class Imports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Imports messages into a channel.
   *
   * Stores up to 500 messages with their original times: all of them or, after an error, none. Messages of the same
   * millisecond keep the order of the request. A frozen channel accepts imports. Both totals of the channel count imported
   * messages. The body may have 8 MB. An import can be repeated: messages whose `external_id` the channel has already are
   * skipped, and their `attachments` stay what they are.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param messages 1 to 500 messages.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`, `message_not_found`, `file_not_found`.
   * @throws `ConflictError`: `file_not_uploaded`, `file_in_use`.
   * @throws `ServerError`: `storage_unavailable`.
   * @example const result = await chat.imports.messages("room_1", [
   *   {
   *     external_id: "m-1041",
   *     user_id: "kim_01",
   *     type: "text",
   *     content: "See you at noon.",
   *     created_at: 1600000000000,
   *   },
   *   {
   *     external_id: "m-1042",
   *     user_id: "kim_01",
   *     type: "file",
   *     file: { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 48213 },
   *     created_at: 1600000000001,
   *     reply_to: "m-1041",
   *   },
   * ]);
   */
  messages(channelId: string, messages: readonly ImportedMessage[], options?: CallOptions): Promise<ImportResult> {
    return this.#api.call("imports.messages", { path: { channel_id: channelId }, body: { messages } }, options);
  }
}

/** `chat.keys`: sub keys, which can replace the master key and can be revoked. Requires the master key. */
export class Keys {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the sub keys.
   *
   * All sub keys by creation time, oldest first, with the time of their last use.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const keys = await chat.keys.list();
   */
  list(options?: CallOptions): Promise<SubKey[]> {
    return this.#api.call("keys.list", {}, options);
  }

  /**
   * Gets the key of this request.
   *
   * Describes the key or token that the request was sent with: its kind, its id or user, label, scopes and expiry, and not
   * the key itself. Every key may call it, whatever its scopes.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const key = await chat.keys.self();
   */
  self(options?: CallOptions): Promise<CallingKey> {
    return this.#api.call("keys.self", {}, options);
  }

  /**
   * Creates a sub key.
   *
   * At most 10 sub keys can exist. The body is optional. A label names the key in logs and metrics; `scopes` restrict what
   * it may do; a key with `expires_at` is rejected from that time on; one with `user_id` acts as this user.
   *
   * @param key The optional user, label, scopes and expiry of a new sub key. Optionally `user_id`, `label`, `scopes`,
   * `expires_at`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @throws `ConflictError`: `key_limit_exceeded`.
   * @example const key = await chat.keys.create({ label: "billing", scopes: ["read", "messages.send"], expires_at: 4102444800000 });
   */
  create(key?: NewSubKey, options?: CallOptions): Promise<SubKey> {
    return this.#api.call("keys.create", { body: key }, options);
  }

  /**
   * Deletes a sub key.
   *
   * Every server process rejects the key within one second.
   *
   * @param key The sub key to delete.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `key_not_found`.
   * @example const { key } = await chat.keys.create();
   * await chat.keys.delete(key);
   */
  delete(key: string, options?: CallOptions): Promise<void> {
    if (this.#api.bodilessDeletes) return this.#api.call("keys.revoke", { body: { key }, secret: key }, options);
    return this.#api.call("keys.delete", { body: { key }, secret: key }, options);
  }
}

/** `chat.webhooks`: uRLs that get the events of the service: at most 10. Requires the master key. */
export class Webhooks {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Creates a webhook.
   *
   * Its receiver gets every event from now on. At most 10 webhooks can exist. An address in the server's own network is
   * rejected.
   *
   * @param webhook A webhook to create. `url`; optionally `types`, `description`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `ConflictError`: `webhook_limit_exceeded`.
   * @example const webhook = await chat.webhooks.create({
   *   url: "https://hooks.example.com/madang",
   *   types: ["message.created", "message.updated", "message.deleted"],
   *   description: "Search index",
   * });
   */
  create(webhook: NewWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.#api.call("webhooks.create", { body: webhook }, options);
  }

  /**
   * Lists the webhooks.
   *
   * All webhooks by creation time, oldest first, without their secrets.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const webhooks = await chat.webhooks.list();
   */
  list(options?: CallOptions): Promise<Webhook[]> {
    return this.#api.call("webhooks.list", {}, options);
  }

  /**
   * Gets a webhook.
   *
   * The webhook, without its secret.
   *
   * @param webhookId The id of a webhook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example const webhook = await chat.webhooks.get("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7");
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook> {
    return this.#api.call("webhooks.get", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Updates a webhook.
   *
   * Changes the fields that are sent. A disabled webhook gets no events; when it is enabled again, it gets those that it
   * missed, as far as they are retained. After a new `url` or `enabled`, waiting deliveries are attempted at once.
   *
   * @param webhookId The id of a webhook.
   * @param change The new values of a webhook. Optionally `url`, `types`, `description`, `enabled`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example const webhook = await chat.webhooks.update("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7", { enabled: true });
   */
  update(webhookId: string, change: WebhookChange, options?: CallOptions): Promise<Webhook> {
    return this.#api.call("webhooks.update", { path: { webhook_id: webhookId }, body: change }, options);
  }

  /**
   * Deletes a webhook.
   *
   * Deliveries that are under way may still arrive.
   *
   * @param webhookId The id of a webhook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example await chat.webhooks.delete("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7");
   */
  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("webhooks.delete", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Replaces the secret of a webhook.
   *
   * For 24 hours, deliveries carry a signature with the new secret and one with the old secret.
   *
   * @param webhookId The id of a webhook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example const webhook = await chat.webhooks.rotate("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7");
   */
  rotate(webhookId: string, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.#api.call("webhooks.rotate", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Sends a test event.
   *
   * Sends one event of type `webhook.ping`, also to a disabled webhook, and returns how the receiver responded. Takes up to
   * 15 seconds.
   *
   * @param webhookId The id of a webhook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example const result = await chat.webhooks.ping("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7");
   */
  ping(webhookId: string, options?: CallOptions): Promise<PingResult> {
    return this.#api.call("webhooks.ping", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Delivers events again.
   *
   * Delivers the events after a cursor of the feed again, including those that were delivered or abandoned. A disabled
   * webhook gets them when it is enabled.
   *
   * @param webhookId The id of a webhook.
   * @param after A cursor of the feed: `next` of a list of events, the cursor of an event, or `after` of an attempt.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @throws `ApiError`: `events_expired`.
   * @example const { items } = await chat.webhooks.attempts("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7").firstPage();
   * const failed = items.find(({ status }) => status === undefined || status >= 300);
   * if (failed?.after) await chat.webhooks.replay("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7", failed.after);
   */
  replay(webhookId: string, after: string, options?: CallOptions): Promise<void> {
    return this.#api.call("webhooks.replay", { path: { webhook_id: webhookId }, body: { after } }, options);
  }

  /**
   * Lists the delivery attempts of a webhook.
   *
   * Attempts, newest first, successful ones included. They are kept as long as events.
   *
   * @param webhookId The id of a webhook.
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `webhook_not_found`.
   * @example for await (const attempt of chat.webhooks.attempts("wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7", { pageSize: 30 })) console.log(attempt);
   */
  attempts(webhookId: string, query: AttemptListOptions = {}, options?: CallOptions): Pager<DeliveryAttempt> {
    return createPager(this.#api, "webhooks.attempts", query, options, {
      path: { webhook_id: webhookId },
      read: ({ attempts, next }) => ({ items: attempts, next }),
    });
  }
}

/** `chat.filters`: words and patterns that messages must not contain: at most 100 filters. */
export class Filters {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Creates a filter.
   *
   * From now on, texts of messages are compared with it, on every process within a second: sends, edits and appends, with
   * keys and with tokens, but not system messages and imports. It has either `words` or a `pattern`. Names of files and
   * `parts` are not read. At most 100 filters can exist.
   *
   * @param filter A filter to create. `label`, `action`; optionally `words`, `pattern`, `channel_ids`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `ConflictError`: `filter_limit_exceeded`.
   * @example const filter = await chat.filters.create({ label: "Advertising", words: ["buy now", "casino*"], action: "reject" });
   */
  create(filter: NewFilter, options?: CallOptions): Promise<Filter> {
    return this.#api.call("filters.create", { body: filter }, options);
  }

  /**
   * Lists the filters.
   *
   * All filters by creation time, oldest first, without their words.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { filters } = await chat.filters.list();
   */
  list(options?: CallOptions): Promise<FilterList> {
    return this.#api.call("filters.list", {}, options);
  }

  /**
   * Trys a filter.
   *
   * What words or a pattern would find in a text. No message is compared with them. Nothing is stored, so an
   * `Idempotency-Key` has no effect.
   *
   * @param trial What to search, and where. `text`; optionally `words`, `pattern`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const result = await chat.filters.try({ words: ["buy now", "casino*"], text: "Buy  NOW, only today." });
   */
  try(trial: FilterTrial, options?: CallOptions): Promise<FilterTrialResult> {
    return this.#api.call("filters.try", { body: trial }, options);
  }

  /**
   * Gets a filter.
   *
   * The filter, with its words.
   *
   * @param filterId The id of a filter.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `filter_not_found`.
   * @example const filter = await chat.filters.get("flt_5b2c9d0e7f1a4b6c8d3e2f1a0b9c8d7e");
   */
  get(filterId: string, options?: CallOptions): Promise<FilterWithWords> {
    return this.#api.call("filters.get", { path: { filter_id: filterId } }, options);
  }

  /**
   * Updates a filter.
   *
   * Changes the fields that are sent, for messages from now on. New `words` replace all old ones, and a pattern; a new
   * `pattern` replaces words.
   *
   * @param filterId The id of a filter.
   * @param change The new values of a filter. Optionally `label`, `words`, `pattern`, `channel_ids`, `action`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `filter_not_found`.
   * @example const filter = await chat.filters.update("flt_5b2c9d0e7f1a4b6c8d3e2f1a0b9c8d7e", { action: "mask" });
   */
  update(filterId: string, change: FilterChange, options?: CallOptions): Promise<Filter> {
    return this.#api.call("filters.update", { path: { filter_id: filterId }, body: change }, options);
  }

  /**
   * Deletes a filter.
   *
   * Messages are no longer compared with it, on every process within a second.
   *
   * @param filterId The id of a filter.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `filter_not_found`.
   * @example await chat.filters.delete("flt_5b2c9d0e7f1a4b6c8d3e2f1a0b9c8d7e");
   */
  delete(filterId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("filters.delete", { path: { filter_id: filterId } }, options);
  }
}

/**
 * `chat.hooks`: programs of the application that check messages before they are stored: at most 5. Requires the master
 * key.
 */
export class Hooks {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Creates a hook.
   *
   * Calls a URL of your server before a message is stored, on every process within a second. Several hooks are called one
   * after the other, oldest first. At most 5 hooks can exist. An address in the server's own network is rejected.
   *
   * @param hook A hook to create. `url`, `operations`, `callers`, `on_failure`; optionally `timeout_ms`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `ConflictError`: `hook_limit_exceeded`.
   * @example const hook = await chat.hooks.create({
   *   url: "https://hooks.example.com/check",
   *   operations: ["messages.send", "messages.update"],
   *   callers: "users",
   *   on_failure: "accept",
   * });
   */
  create(hook: NewHook, options?: CallOptions): Promise<HookWithSecret> {
    return this.#api.call("hooks.create", { body: hook }, options);
  }

  /**
   * Lists the hooks.
   *
   * All hooks by creation time, oldest first, without their secrets.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { hooks } = await chat.hooks.list();
   */
  list(options?: CallOptions): Promise<HookList> {
    return this.#api.call("hooks.list", {}, options);
  }

  /**
   * Gets a hook.
   *
   * The hook, with its latest calls.
   *
   * @param hookId The id of a hook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `hook_not_found`.
   * @example const hook = await chat.hooks.get("hook_2f7d0c1b9a8e4d3f8c6b5a4e3d2c1b0a");
   */
  get(hookId: string, options?: CallOptions): Promise<HookWithAttempts> {
    return this.#api.call("hooks.get", { path: { hook_id: hookId } }, options);
  }

  /**
   * Updates a hook.
   *
   * Changes the fields that are sent, on every process within a second. If the hook is paused, the pause ends.
   *
   * @param hookId The id of a hook.
   * @param change The new values of a hook. Optionally `url`, `operations`, `callers`, `timeout_ms`, `on_failure`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `hook_not_found`.
   * @example const hook = await chat.hooks.update("hook_2f7d0c1b9a8e4d3f8c6b5a4e3d2c1b0a", { on_failure: "reject" });
   */
  update(hookId: string, change: HookChange, options?: CallOptions): Promise<Hook> {
    return this.#api.call("hooks.update", { path: { hook_id: hookId }, body: change }, options);
  }

  /**
   * Deletes a hook.
   *
   * No process calls it after a second.
   *
   * @param hookId The id of a hook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `hook_not_found`.
   * @example await chat.hooks.delete("hook_2f7d0c1b9a8e4d3f8c6b5a4e3d2c1b0a");
   */
  delete(hookId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("hooks.delete", { path: { hook_id: hookId } }, options);
  }

  /**
   * Replaces the secret of a hook.
   *
   * For 24 hours, requests carry a signature with the new secret and one with the old secret.
   *
   * @param hookId The id of a hook.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `hook_not_found`.
   * @example const hook = await chat.hooks.rotate("hook_2f7d0c1b9a8e4d3f8c6b5a4e3d2c1b0a");
   */
  rotate(hookId: string, options?: CallOptions): Promise<HookWithSecret> {
    return this.#api.call("hooks.rotate", { path: { hook_id: hookId } }, options);
  }
}

/** `chat.reports`: what moderators should look at. */
export class Reports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Reports a message, a user or a channel.
   *
   * Adds a report to the queue of the moderators. What it names must exist; a user can name only users who are known in the
   * channel. The report keeps a copy of the message, also when that is changed or deleted. It is removed with its channel,
   * and loses the ids of users who are deleted. While a report of the same message by the same reporter about the same user
   * is open, the response is 200 with that one, and nothing is added.
   *
   * @param report What to report, and why. `channel_id`, `reason`; optionally `message_id`, `reported_user_id`,
   * `reporter_user_id`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `channel_not_found`, `message_not_found`, `user_not_found`.
   * @example const report = await chat.reports.create({
   *   channel_id: "room_1",
   *   message_id: "1700000000000-1041",
   *   reported_user_id: "kim_01",
   *   reporter_user_id: "park_03",
   *   reason: "Advertising",
   * });
   */
  create(report: NewReport, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.create", { body: report }, options);
  }

  /**
   * Lists reports.
   *
   * The reports of all channels, or those with one status, newest first.
   *
   * @param query `status`; where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { report_id, reason } of chat.reports.list({ status: "open" })) console.log(report_id, reason);
   */
  list(query: ReportListOptions = {}, options?: CallOptions): Pager<Report> {
    return createPager(this.#api, "reports.list", query, options, {
      read: ({ reports, next }) => ({ items: reports, next }),
    });
  }

  /**
   * Gets a report.
   *
   * The report with this id.
   *
   * @param reportId The id of a report.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `report_not_found`.
   * @example const report = await chat.reports.get("rep_6f1c0d5e2b7a4c3d9e8f7a6b5c4d3e2f");
   */
  get(reportId: string, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.get", { path: { report_id: reportId } }, options);
  }

  /**
   * Resolves a report.
   *
   * Sets the status, and what was decided. Opening a report again removes its resolution.
   *
   * @param reportId The id of a report.
   * @param change The new status of a report. `status`; optionally `resolution`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `report_not_found`.
   * @example const report = await chat.reports.resolve("rep_6f1c0d5e2b7a4c3d9e8f7a6b5c4d3e2f", { status: "resolved", resolution: "The message was deleted." });
   */
  resolve(reportId: string, change: ReportChange, options?: CallOptions): Promise<Report> {
    return this.#api.call("reports.resolve", { path: { report_id: reportId }, body: change }, options);
  }
}

/** What is generated of `chat.files`. */
export class BaseFiles {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Creates a file.
   *
   * Prepares an upload. The response has an address that accepts the bytes for one hour, without a key: exactly this size
   * and type, once. Then send a message with the file in `attachments`. A file that no message has after a day is deleted.
   *
   * @param file A file to upload. `channel_id`, `name`, `type`, `size`; optionally `user_id`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `not_a_participant`, `member_muted`, `user_banned`, `user_suspended`,
   * `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @throws `ConflictError`: `files_disabled`.
   * @throws `ServerError`: `storage_unavailable`.
   * @example const file = await chat.files.create({
   *   channel_id: "room_1",
   *   user_id: "kim_01",
   *   name: "menu.png",
   *   type: "image/png",
   *   size: 48213,
   * });
   */
  create(file: NewFile, options?: CallOptions): Promise<CreatedFile> {
    return this.#api.call("files.create", { body: file }, options);
  }

  /**
   * Gets a file.
   *
   * The file with this id, with an address of its bytes once they have arrived.
   *
   * @param fileId The id of a file.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `file_not_found`.
   * @throws `ServerError`: `storage_unavailable`.
   * @example const file = await chat.files.get("file_7c9e6679e1f84cb8a40de44b07fc90ae");
   */
  get(fileId: string, options?: CallOptions): Promise<StoredFile> {
    return this.#api.call("files.get", { path: { file_id: fileId } }, options);
  }

  /**
   * Deletes a file.
   *
   * Deletes a file that no message has. The files of a message are deleted with it.
   *
   * @param fileId The id of a file.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `file_not_found`.
   * @throws `ConflictError`: `file_in_use`.
   * @example await chat.files.delete("file_7c9e6679e1f84cb8a40de44b07fc90ae");
   */
  delete(fileId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("files.delete", { path: { file_id: fileId } }, options);
  }
}

/** `chat.signals`: what is stored nowhere: typing, progress. */
export class Signals {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Sends a signal.
   *
   * For typing and progress. A signal is stored nowhere: it reaches the streams of events that are open with `live=true`,
   * usually within 250 ms; it may be lost, and is not in the feed. The sender must be allowed to send messages to the
   * channel. A user, and a key without `user_id`, may send 20 a second to a channel. An idempotency key has no effect. A
   * failed call is not repeated by itself.
   *
   * @param channelId The id of a channel: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param signal A signal to send. `type`; optionally `user_id`, `data`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `PermissionError`: `channel_frozen`, `not_a_participant`, `member_muted`, `user_banned`, `user_suspended`,
   * `user_blocked`.
   * @throws `NotFoundError`: `channel_not_found`, `user_not_found`.
   * @example await chat.signals.send("room_1", { user_id: "kim_01", type: "typing" });
   */
  send(channelId: string, signal: NewSignal, options?: CallOptions): Promise<void> {
    return this.#api.call("signals.send", { path: { channel_id: channelId }, body: signal }, { maxRetries: 0, ...options });
  }
}

/** `chat.audit`: who did what, when and why. Requires the master key or a key with a scope that names it. */
export class Audit {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the audit log.
   *
   * The entries that match all filters, newest first. What is recorded depends on the setting `MADANG_AUDIT` of the server:
   * by default the accepted changes of users, keys, webhooks and retention, and moderation. A change has its entry as soon
   * as its response was sent.
   *
   * @param query `key_id`, `user_id`, `channel_id`, `operation`, `from`, `to`; where to begin, and the page size: 1 to 100,
   * default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { at, actor } of chat.audit.list({ user_id: "park_03" })) console.log(at, actor);
   */
  list(query: AuditListOptions = {}, options?: CallOptions): Pager<AuditEntry> {
    return createPager(this.#api, "audit.list", query, options, {
      read: ({ entries, next }) => ({ items: entries, next }),
    });
  }
}

/** `chat.privacy`: what is stored about a user, and its erasure. Sub keys need a scope that names the operation. */
export class Privacy {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Erases a user.
   *
   * Erases every user that ever had this id, also those that were deleted earlier. A user that exists is deleted at once; a
   * background job removes the rest: the name, `profile_url` and metadata, with `erase` all messages, its reactions and
   * mentions, and what is stored of them elsewhere. What is in a channel that is held is left until the hold ends, and so
   * long the erasure is running. Kept messages have the sender `~deleted`, an id that no user can have. While an erasure of
   * the id runs that does as much, the response is that erasure. The id may be created again meanwhile; that user is not
   * erased.
   *
   * @param erasure Whom to erase, and what happens to the messages. `user_id`, `messages`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `user_not_found`.
   * @example const erasure = await chat.privacy.erase({ user_id: "kim_01", messages: "erase" });
   */
  erase(erasure: NewErasure, options?: CallOptions): Promise<Erasure> {
    return this.#api.call("privacy.erase", { body: erasure }, options);
  }

  /**
   * Lists erasures.
   *
   * All erasures, newest first.
   *
   * @param query Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { user_id, status } of chat.privacy.list()) console.log(user_id, status);
   */
  list(query: ErasureListOptions = {}, options?: CallOptions): Pager<Erasure> {
    return createPager(this.#api, "privacy.list", query, options, {
      read: ({ erasures, next }) => ({ items: erasures, next }),
    });
  }

  /**
   * Gets an erasure.
   *
   * The progress or the result of an erasure.
   *
   * @param erasureId The id of an erasure.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `NotFoundError`: `erasure_not_found`.
   * @example const erasure = await chat.privacy.get("era_2d9c7f40b1e84a6f9d3c5b7a8e1f0642");
   */
  get(erasureId: string, options?: CallOptions): Promise<Erasure> {
    return this.#api.call("privacy.get", { path: { erasure_id: erasureId } }, options);
  }

  /**
   * Exports what is stored about a user.
   *
   * Everything stored about every user that had this id, also deleted ones, but not those whose erasure has begun. The users
   * come oldest first, and each has its pages: a page has up to `pageSize` entries of one user in each of its lists. What is
   * in deleted channels is not part of it. A loop over the items goes on by itself.
   *
   * @param userId The id of a user: 4 to 80 characters; lower-case letters, digits and `_` only.
   * @param query Where to begin, and the page size: 1 to 1,000, default 100.
   * @param options Timeouts, retries, headers and signal of each request.
   * @throws `NotFoundError`: `user_not_found`.
   * @example for await (const { user, memberships, items } of chat.privacy.export("kim_01").pages()) console.log(user, memberships, items);
   */
  export(userId: string, query: PersonalPageOptions = {}, options?: CallOptions): Pager<Message, PersonalPage> {
    return createPager(this.#api, "privacy.export", query, options, {
      path: { user_id: userId },
      read: ({ messages, next, ...extra }) => ({ items: messages, next, extra: () => extra }),
    });
  }
}

/** `chat.usage`: how much the service is used. */
export class Usage {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Gets the usage of each day.
   *
   * The last days in UTC, oldest first, today included. A day on which nothing was done has zeros. The counts are at most
   * five seconds old. The messages of a deleted channel are not counted as deleted.
   *
   * @param query `days`: How many days, up to today: 1 to 365, default 30.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { days } = await chat.usage.daily({ days: 7 });
   */
  daily(query: UsageDailyQuery = {}, options?: CallOptions): Promise<DailyUsage> {
    return this.#api.call("usage.daily", { query }, options);
  }
}

/** `chat.push`: how messages are pushed to devices. */
export class Push {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Gets the settings of push notifications.
   *
   * Which providers are set up, and the key with which a browser subscribes.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const settings = await chat.push.settings();
   */
  settings(options?: CallOptions): Promise<PushSettings> {
    return this.#api.call("push.settings", {}, options);
  }

  /**
   * Lists the push services.
   *
   * The push services of all registered devices, with those that fail first.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { services } = await chat.push.services();
   */
  services(options?: CallOptions): Promise<PushServices> {
    return this.#api.call("push.services", {}, options);
  }
}

/** `chat.presence`: which users are online. */
export class Presence {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists who is online.
   *
   * Whether users are online. A user is online while a stream of events, or a list of events that waits, is open with one of
   * its tokens, and for 10 seconds after; clients that send `presence=invisible` and user keys do not count. As a user, only
   * the user itself and those with whom it shares a channel are listed. If one of two users has blocked the other, both are
   * `offline` to each other. To follow changes, open a stream with `presence_of`.
   *
   * @param query `user_ids`: Only these users, in this order, without those that do not exist: 1 to 100 ids, separated by
   * commas. Sent without other parameters; duplicates count once.
   * @param options Timeouts, retries, headers and signal of this call.
   * @throws `ConflictError`: `presence_disabled`.
   * @example const { presence } = await chat.presence.list({ user_ids: ["kim_01", "park_03"] });
   */
  list(query: PresenceListQuery, options?: CallOptions): Promise<PresenceList> {
    return this.#api.call("presence.list", { query }, options);
  }
}

/** The resources that are generated as a whole. */
export class BaseResources {
  /** Import of messages from another service. */
  readonly imports: Imports;
  /** Sub keys, which can replace the master key and can be revoked. Requires the master key. */
  readonly keys: Keys;
  /** URLs that get the events of the service: at most 10. Requires the master key. */
  readonly webhooks: Webhooks;
  /** Words and patterns that messages must not contain: at most 100 filters. */
  readonly filters: Filters;
  /** Programs of the application that check messages before they are stored: at most 5. Requires the master key. */
  readonly hooks: Hooks;
  /** What moderators should look at. */
  readonly reports: Reports;
  /** What is stored nowhere: typing, progress. */
  readonly signals: Signals;
  /** Who did what, when and why. Requires the master key or a key with a scope that names it. */
  readonly audit: Audit;
  /** What is stored about a user, and its erasure. Sub keys need a scope that names the operation. */
  readonly privacy: Privacy;
  /** How much the service is used. */
  readonly usage: Usage;
  /** How messages are pushed to devices. */
  readonly push: Push;
  /** Which users are online. */
  readonly presence: Presence;

  /** @internal */
  constructor(api: Api) {
    this.imports = new Imports(api);
    this.keys = new Keys(api);
    this.webhooks = new Webhooks(api);
    this.filters = new Filters(api);
    this.hooks = new Hooks(api);
    this.reports = new Reports(api);
    this.signals = new Signals(api);
    this.audit = new Audit(api);
    this.privacy = new Privacy(api);
    this.usage = new Usage(api);
    this.push = new Push(api);
    this.presence = new Presence(api);
  }
}
