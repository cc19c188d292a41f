import type { MemberEntry } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** `chat.channels.managers` */
export class ChannelManagers {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists all managers of a channel, by the time they were registered, oldest first. Throws `NotFoundError` when the
   * channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const managers = await chat.channels.managers.list("room_1");
   */
  list(channelId: string, options?: CallOptions): Promise<MemberEntry[]> {
    return this.#api.call("channels.managers.list", { path: { channel_id: channelId } }, options);
  }

  /**
   * Registers a manager, who need not be a participant. Nothing changes if the user is a manager already.
   *
   * Throws `ConflictError` when the channel has 10 managers, `NotFoundError` when the channel or the user does not
   * exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.managers.add("room_1", "kim_01");
   */
  add(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const input = { path: { channel_id: channelId }, body: { manager: userId } };
    return this.#api.call("channels.managers.add", input, options);
  }

  /**
   * Removes a manager, who remains a participant. Throws `NotFoundError` when the user is not a manager, or the channel
   * or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.managers.remove("room_1", "kim_01");
   */
  remove(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId };
    if (this.#api.bodilessDeletes)
      return this.#api.call(
        "channels.managers.removeByPath",
        { path: { ...path, user_id: userId } },
        options,
      );
    return this.#api.call("channels.managers.remove", { path, body: { manager: userId } }, options);
  }
}
