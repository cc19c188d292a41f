import type { Additions, MemberState, Participant, ReadState } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** `chat.channels.members` */
export class ChannelMembers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists all participants of a channel with their read marks, by the time they joined, oldest first. Throws `NotFoundError` when the channel
   * does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const members = await chat.channels.members.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<Participant[]> {
    return this.#api.call("channels.members.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Gets a participant of a channel, with the read mark and the number of unread messages.
   *
   * Throws `NotFoundError` when the channel does not exist or the user is not a participant.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { unread_count } = await chat.channels.members.get("room_1", "park_03");
   */
  get(channelId: string, userId: string, options?: CallOptions): Promise<MemberState> {
    const path = { channel_id: channelId, user_id: userId };
    return this.#api.call("channels.members.get", { path }, options);
  }

  /**
   * Adds a user to a channel. Nothing changes if the user is a participant already.
   *
   * Throws `ConflictError` when the channel has 100 participants, `PermissionError` when the user is banned or suspended,
   * `NotFoundError` when the channel or the user does not exist.
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
   * Adds users to a channel, all or none. Users who are participants already do not count.
   *
   * Throws `ConflictError` when the channel would have more than 100 participants, `PermissionError` when a user is banned
   * or suspended, `NotFoundError` when the channel or a user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param users The ids of 1 to 100 users. Duplicates count once.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { joined } = await chat.channels.members.addMany("room_1", ["kim_01", "park_03"]);
   */
  addMany(channelId: string, users: readonly string[], options?: CallOptions): Promise<Additions> {
    const input = { path: { channel_id: channelId }, body: { members: users } };
    return this.#api.call("channels.members.addMany", input, options);
  }

  /**
   * Removes a user from a channel. Nothing changes if the user is not a participant; a manager role is kept.
   * Throws `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`. With a token, the user itself by default.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.leave("room_1", "park_03");
   */
  leave(channelId: string, userId?: string, options?: CallOptions): Promise<void> {
    const input = {
      path: { channel_id: channelId },
      ...(userId !== undefined && { body: { member: userId } }),
    };
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
   * @param messageId The newest message that was read. Default: the newest message of the channel.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.markRead("room_1", "kim_01", "1700000000000-1041");
   */
  markRead(channelId: string, userId: string, messageId?: string, options?: CallOptions): Promise<ReadState> {
    const input = {
      path: { channel_id: channelId, user_id: userId },
      ...(messageId !== undefined && { body: { message_id: messageId } }),
    };
    return this.#api.call("channels.members.markRead", input, options);
  }

  /**
   * Mutes a participant, who then cannot send or react, even as a manager. Leaving does not end a mute.
   *
   * Throws `NotFoundError` when the channel does not exist or the user is not a participant.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param until When the mute ends, in milliseconds since the Unix epoch. Default: without end.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.mute("room_1", "park_03", Date.now() + 3_600_000);
   */
  mute(channelId: string, userId: string, until?: number, options?: CallOptions): Promise<void> {
    const input = {
      path: { channel_id: channelId, user_id: userId },
      ...(until !== undefined && { body: { until } }),
    };
    return this.#api.call("channels.members.mute", input, options);
  }

  /**
   * Ends a mute, also of a user who has left. Nothing changes if there is none.
   * Throws `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.members.unmute("room_1", "park_03");
   */
  unmute(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId, user_id: userId };
    return this.#api.call("channels.members.unmute", { path }, options);
  }
}
