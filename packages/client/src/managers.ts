import type { Call } from "./call";
import type { MemberEntry } from "./members";
import type { CallOptions } from "./options";

/** `chat.channels.managers` */
export class ManagerCalls {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Lists who manages a channel: all of them, the longest registered first.
   * Throws `NotFoundError` when there is no such channel.
   *
   * @example const managers = await chat.channels.managers.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<MemberEntry[]> {
    return this.#call("channels.managers.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Registers a manager, who need not take part in the channel; one who is registered stays. At most 10 are.
   *
   * Throws `ConflictError` when the channel has all its managers, `NotFoundError` when there is no such channel or user.
   *
   * @example await chat.channels.managers.add("room_1", "kim_01");
   */
  add(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { manager: userId } };
    return this.#call("channels.managers.add", input, options);
  }

  /**
   * Ends the role of a manager, who goes on taking part in the channel.
   * Throws `NotFoundError` when the user is no manager of it, or there is no such channel or user.
   *
   * @example await chat.channels.managers.remove("room_1", "kim_01");
   */
  remove(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { manager: userId } };
    return this.#call("channels.managers.remove", input, options);
  }

  /**
   * The same as `remove`, without a body: for a service behind a proxy that drops the body of a DELETE.
   *
   * @example await chat.channels.managers.revoke("room_1", "kim_01");
   */
  revoke(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId, user_id: userId } };
    return this.#call("channels.managers.revoke", input, options);
  }
}
