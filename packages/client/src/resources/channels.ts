import type {
  Channel,
  ChannelChange,
  ChannelRetention,
  ChannelsListQuery,
  ChannelsPinsQuery,
  ChannelWithMembers,
  Message,
  NewChannel,
} from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";
import { ChannelBans } from "./channel-bans";
import { ChannelManagers } from "./channel-managers";
import { ChannelMembers } from "./channel-members";
import { deleteEach } from "./delete-each";
import { joinIds } from "./join-ids";

/** The channels to list. */
export interface ChannelFilter extends ListOptions, Omit<ChannelsListQuery, "channel_ids"> {
  /** Only these channels, in this order, without those that do not exist: 1 to 50. No other filter goes with it. */
  channel_ids?: readonly string[] | undefined;
}

/** The pinned messages to list. */
export interface PinRange extends ListOptions, ChannelsPinsQuery {}

/** The result of creating a channel. */
export interface CreatedChannel {
  /** The channel, with its members. */
  channel: ChannelWithMembers;
  /** `false` when `reuse` found a channel; the other fields of the request were then ignored. */
  created: boolean;
}

/** `chat.channels` */
export class Channels {
  readonly #api: Api;
  /** The participants of a channel. */
  readonly members: ChannelMembers;
  /** The managers of a channel. */
  readonly managers: ChannelManagers;
  /** The metadata of a channel. */
  readonly meta: ChannelMeta;
  /** The users who are banned from a channel. */
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
   * Creates a channel. With `reuse` and two members, returns the channel that these two already have to themselves.
   *
   * Throws `ConflictError` when the id exists already, `NotFoundError` when a member does not exist: nothing is then created.
   *
   * @param channel Its id, its name, at most 100 members, and optionally `profile_url` and metadata.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { channel, created } = await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
   */
  create(channel: NewChannel, options?: CallOptions): Promise<CreatedChannel> {
    return this.#api.call("channels.create", { body: channel }, options, (channel, { headers }) => ({
      channel,
      created: headers.get("x-channel-created") !== "false",
    }));
  }

  /**
   * Lists the channels, newest first; with `q` or `name_prefix` by name, with `channel_ids` in their order. With `q`, a page may
   * have fewer channels than its size, or none, and still a `nextCursor`: a loop over the channels goes on by itself.
   *
   * @param filter `q`: words of the name, the last one perhaps incomplete, in any case, or an id; the beginning of the name; ids; where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const channel of chat.channels.list()) console.log(channel.name);
   */
  list(filter: ChannelFilter = {}, options?: CallOptions): Pager<Channel> {
    const { channel_ids, ...page } = filter;
    return createPager(this.#api, "channels.list", page, options, {
      filters: () => ({ channel_ids: joinIds("channel_ids", channel_ids, "channels.list") }),
      read: ({ channels, next }) => ({ items: channels, next }),
    });
  }

  /**
   * Gets a channel, without its members. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const channel = await chat.channels.get("room_1");
   */
  get(channelId: string, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.get", { path: { channel_id: channelId } }, options);
  }

  /**
   * Sets the name of a channel, and `profile_url` if it is given. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param change The name, 1 to 150 characters, and optionally `profile_url`, which an empty text removes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.update("room_1", { name: "Dinner" });
   */
  update(channelId: string, change: ChannelChange, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.update", { path: { channel_id: channelId }, body: change }, options);
  }

  /**
   * Deletes a channel with its members, managers and messages. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.delete("room_1");
   */
  delete(channelId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("channels.delete", { path: { channel_id: channelId } }, options);
  }

  /**
   * Freezes a channel, so that only managers can send messages, or unfreezes it. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param freeze `true` to freeze the channel, `false` to unfreeze it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.freeze("room_1", true);
   */
  freeze(channelId: string, freeze: boolean, options?: CallOptions): Promise<Channel> {
    return this.#api.call("channels.freeze", { path: { channel_id: channelId }, body: { freeze } }, options);
  }

  /**
   * Lists the pinned messages of a channel, at most 50, the newest pin first. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range `as_user`: a user whose reactions have `own`; and where to begin.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example const messages = await chat.channels.pins("room_1").toArray();
   */
  pins(channelId: string, range: PinRange = {}, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "channels.pins", range, options, {
      path: { channel_id: channelId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Sets how long messages are kept. Older ones are erased within five minutes; until then they can still be read. Requires the
   * master key or a key with the scope `channels.setRetention`.
   *
   * Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param retention `days`: 1 to 36,500, or `null` for the setting of the server. `hold`: `true` keeps everything until it ends.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.setRetention("room_1", { days: 365, hold: false });
   */
  setRetention(channelId: string, retention: ChannelRetention, options?: CallOptions): Promise<Channel> {
    const path = { channel_id: channelId };
    return this.#api.call("channels.setRetention", { path, body: retention }, options);
  }
}

/** `chat.channels.meta` */
export class ChannelMeta {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Adds or changes metadata pairs and keeps the others, all or nothing.
   *
   * Throws `ConflictError` when the channel would have more than 10 pairs, `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param meta At most 10 pairs. A key is at most 100 bytes of letters A-Z and a-z, Hangul, `_` and `-`; a value is at most 200 bytes.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.meta.merge("room_1", { team: "blue" });
   */
  merge(channelId: string, meta: Record<string, string>, options?: CallOptions): Promise<Channel> {
    return this.#api.call(
      "channels.meta.merge",
      { path: { channel_id: channelId }, body: { meta } },
      options,
    );
  }

  /**
   * Deletes the metadata pairs with these keys; absent keys are ignored. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param keys The keys to delete.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.meta.delete("room_1", ["team"]);
   */
  async delete(channelId: string, keys: readonly string[], options?: CallOptions): Promise<Channel> {
    const path = { channel_id: channelId };
    if (!this.#api.bodilessDeletes)
      return this.#api.call("channels.meta.delete", { path, body: { keys } }, options);
    const last = await deleteEach(keys, options, (key, own) =>
      this.#api.call("channels.meta.deleteKey", { path: { ...path, key } }, own),
    );
    return last ?? this.#api.call("channels.get", { path }, options);
  }
}
