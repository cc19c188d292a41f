import type { NewSignal } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** `chat.signals` */
export class Signals {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Sends a signal, such as that a user types. It is stored nowhere, and reaches the streams of events that are open with `live`. A
   * failed call is not repeated by itself: the next signal is more useful.
   *
   * Throws `PermissionError` when the sender may not send messages to the channel, `NotFoundError` when the channel or the user does
   * not exist, `RateLimitError` after 20 signals within a second.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param signal `type`, 1 to 40 lower-case letters, digits, `_` and `.`; the sender, if it is a user; and `data`, at most 1,000 bytes as JSON.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.signals.send("room_1", { user_id: "kim_01", type: "typing" });
   */
  send(channelId: string, signal: NewSignal, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId };
    return this.#api.call("signals.send", { path, body: signal }, { maxRetries: 0, ...options });
  }
}
