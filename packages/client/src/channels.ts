import type { Call } from "./call";
import { ManagerCalls } from "./managers";
import { MemberCalls } from "./members";
import type { CallOptions } from "./options";
import type { ListOptions } from "./page";
import { readPage } from "./page-answer";
import { Pager } from "./pager";
import type { Meta, User } from "./users";

/** A group channel. */
export interface Channel {
  channel_id: string;
  name: string;
  /** Absent when there is none. */
  profile_url?: string;
  /** Always `group`. */
  type: string;
  /** Whether only managers may send. */
  freeze: boolean;
  /** How many messages were ever sent, files included. */
  total_message_count: number;
  /** How many of them were files. */
  total_file_count: number;
  meta: Meta;
  /** Milliseconds since the Unix epoch, UTC. */
  created_at: number;
  /** Milliseconds since the Unix epoch, UTC. */
  updated_at: number;
}

/** A group channel with its participants. */
export interface ChannelWithMembers extends Channel {
  members: User[];
}

/** A channel to create. */
export interface NewChannel {
  /** 4 to 80 characters: lower-case letters, digits and `_`. It never changes. */
  channel_id: string;
  /** 1 to 150 characters. */
  name: string;
  /** At most 2,048 characters. */
  profile_url?: string | undefined;
  /** The ids of at most 100 users; a repeated one counts once. */
  members: readonly string[];
  /** With exactly two members: takes the channel that these two already have to themselves. Default `false`. */
  reuse?: boolean | undefined;
  meta?: Meta | undefined;
}

/** The answer to a create. */
export interface CreatedChannel {
  channel: ChannelWithMembers;
  /** `false` when `reuse` found a channel; the other fields of the request were then ignored. */
  created: boolean;
}

/** The new values of a channel. */
export interface ChannelChange {
  /** 1 to 150 characters. */
  name: string;
  /** At most 2,048 characters; kept when left out, cleared by the empty string. */
  profile_url?: string | undefined;
}

/** `chat.channels` */
export class ChannelCalls {
  readonly #call: Call;
  /** Who takes part in a channel. */
  readonly members: MemberCalls;
  /** Who manages a channel. */
  readonly managers: ManagerCalls;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
    this.members = new MemberCalls(call);
    this.managers = new ManagerCalls(call);
  }

  /**
   * Creates a channel; with `reuse` and two members, takes the one that these two already have to themselves.
   *
   * Throws `ConflictError` when the id is taken, `NotFoundError` when a member is unknown: nothing is then created.
   *
   * @example const { channel, created } = await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
   */
  create(channel: NewChannel, options?: CallOptions): Promise<CreatedChannel> {
    return this.#call("channels.create", { body: channel }, options, (data, { headers }) => ({
      channel: data as ChannelWithMembers,
      created: headers.get("x-channel-created") !== "false",
    }));
  }

  /**
   * Lists the channels, newest first. `pageSize` is 5 to 30, 15 when left out.
   *
   * @example for await (const channel of chat.channels.list()) console.log(channel.name);
   */
  list(page: ListOptions = {}, options?: CallOptions): Pager<Channel> {
    return new Pager(
      {
        operation: "channels.list",
        signal: options?.signal,
        fetch: (cursor, signal) =>
          this.#call(
            "channels.list",
            { query: cursor === undefined ? { limit: page.pageSize } : { next: cursor } },
            { ...options, signal },
            (data, _answer, fail) => readPage<Channel>(data, "channels", fail),
          ),
      },
      page,
    );
  }

  /**
   * Gets the channel of an id, without its members. Throws `NotFoundError` when there is none.
   *
   * @example const room = await chat.channels.get("room_1");
   */
  get(channelId: string, options?: CallOptions): Promise<Channel> {
    return this.#call("channels.get", { path: { channel_id: channelId } }, options);
  }

  /**
   * Sets the name of a channel, and the picture where one is given. Throws `NotFoundError` when there is no such channel.
   *
   * @example await chat.channels.update("room_1", { name: "Dinner" });
   */
  update(channelId: string, change: ChannelChange, options?: CallOptions): Promise<Channel> {
    return this.#call("channels.update", { path: { channel_id: channelId }, body: change }, options);
  }

  /**
   * Deletes a channel with its members, managers and messages. Throws `NotFoundError` when there is no such channel.
   *
   * @example await chat.channels.delete("room_1");
   */
  delete(channelId: string, options?: CallOptions): Promise<void> {
    return this.#call("channels.delete", { path: { channel_id: channelId } }, options);
  }

  /**
   * Freezes a channel, so that only managers may send, or unfreezes it. Throws `NotFoundError` when there is no such channel.
   *
   * @example await chat.channels.freeze("room_1", true);
   */
  freeze(channelId: string, freeze: boolean, options?: CallOptions): Promise<Channel> {
    return this.#call("channels.freeze", { path: { channel_id: channelId }, body: { freeze } }, options);
  }
}
