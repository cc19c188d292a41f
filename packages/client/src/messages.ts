import type { Api } from "./call";
import type { Message, NewMessage } from "./generated/types";
import type { CallOptions } from "./options";

/** `chat.messages` */
export class Messages {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Sends a message from a user to a channel.
   *
   * Throws `PermissionError` when the sender is neither a participant nor a manager, or the channel is frozen and the sender
   * is not a manager; `NotFoundError` when the channel or the user does not exist.
   *
   * @example await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
   */
  send(channelId: string, message: NewMessage, options?: CallOptions): Promise<Message> {
    return this.#api.call("messages.send", { path: { channel_id: channelId }, body: message }, options);
  }
}
