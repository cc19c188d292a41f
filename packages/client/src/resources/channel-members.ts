import type { MemberEntry, ReadState } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** Options of `markRead`. */
export interface ReadOptions extends CallOptions {
  /** The newest message that was read. Default: the newest message of the channel. */
  messageId?: string | undefined;
}

/** `chat.channels.members` */
export class ChannelMembers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists all participants of a channel, by the time they joined, oldest first. Throws `NotFoundError` when the channel
   * does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const members = await chat.channels.members.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<MemberEntry[]> {
    return this.#api.call("channels.members.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Adds a user to a channel. Nothing changes if the user is a participant already.
   *
   * Throws `ConflictError` when the channel has 100 participants, `NotFoundError` when the channel or the user does not
   * exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.join("room_1", "park_03");
   */
  join(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { member: userId } };
    return this.#api.call("channels.members.join", input, options);
  }

  /**
   * Removes a user from a channel. Nothing changes if the user is not a participant; a manager role is kept.
   * Throws `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.leave("room_1", "park_03");
   */
  leave(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { member: userId } };
    return this.#api.call("channels.members.leave", input, options);
  }

  /**
   * Marks the messages up to `messageId` as read by the participant, or all so far. A mark only moves forward.
   *
   * Throws `PermissionError` when the user is not a participant, `NotFoundError` when the channel or the user does not
   * exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options The message up to which everything was read, and timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.markRead("room_1", "kim_01", { messageId: "1700000000000-1041" });
   */
  markRead(channelId: string, userId: string, options: ReadOptions = {}): Promise<ReadState> {
    const { messageId, ...callOptions } = options;
    const input = {
      path: { channel_id: channelId, user_id: userId },
      ...(messageId !== undefined && { body: { message_id: messageId } }),
    };
    return this.#api.call("channels.members.markRead", input, callOptions);
  }
}
