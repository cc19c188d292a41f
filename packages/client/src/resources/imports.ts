import type { ImportedMessage, ImportResult } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "../transport/call";

/** What one call imports: 1 to 500 messages. */
export type ImportedMessages = readonly ImportedMessage[];

/** `chat.imports` */
export class Imports {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Imports 1 to 500 messages with their original times: all of them or, after an error, none. At most 8 MB.
   *
   * A message whose `external_id` the channel has already is skipped, so an interrupted import can be restarted. Throws
   * `NotFoundError` for an unknown channel or sender, `BadRequestError` for an invalid message, naming its index.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messages The messages, each with its sender and time.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.imports.messages("room_1", [{ user_id: "kim_01", type: "text", content: "Hello", created_at: 1_700_000_000_000 }]);
   */
  messages(channelId: string, messages: ImportedMessages, options?: CallOptions): Promise<ImportResult> {
    const input = { path: { channel_id: channelId }, body: { messages: [...messages] } };
    return this.#api.call("imports.messages", input, options);
  }
}
