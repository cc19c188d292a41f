import type { Channel, ChannelChange, ChannelWithMembers, NewChannel } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";
import { ChannelManagers } from "./channel-managers";
import { ChannelMembers } from "./channel-members";

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

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.members = new ChannelMembers(api);
    this.managers = new ChannelManagers(api);
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
   * Lists the channels, newest first.
   *
   * @param page Where to begin, and the page size: 5 to 30, default 15.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const channel of chat.channels.list()) console.log(channel.name);
   */
  list(page: ListOptions = {}, options?: CallOptions): Pager<Channel> {
    return createPager(this.#api, "channels.list", page, options, {
      request: () => ({}),
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
}
