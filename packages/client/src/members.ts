import type { Call } from "./call";
import type { CallOptions } from "./options";
import type { User } from "./users";

/** A user, and since when it takes part in a channel or manages it. */
export interface MemberEntry extends User {
  /** Milliseconds since the Unix epoch, UTC. */
  joined_at: number;
}

/** `chat.channels.members` */
export class MemberCalls {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Lists who takes part in a channel: all of them, the longest there first.
   * Throws `NotFoundError` when there is no such channel.
   *
   * @example const members = await chat.channels.members.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<MemberEntry[]> {
    return this.#call("channels.members.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Adds a user to a channel; one who already takes part stays. At most 100 do.
   *
   * Throws `ConflictError` when the channel is full, `NotFoundError` when there is no such channel or user.
   *
   * @example await chat.channels.members.join("room_1", "park_03");
   */
  join(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { member: userId } };
    return this.#call("channels.members.join", input, options);
  }

  /**
   * Removes a user from a channel; for one who does not take part nothing changes. A manager role stays.
   * Throws `NotFoundError` when there is no such channel or user.
   *
   * @example await chat.channels.members.leave("room_1", "park_03");
   */
  leave(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { member: userId } };
    return this.#call("channels.members.leave", input, options);
  }
}
