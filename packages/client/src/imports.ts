import type { Api } from "./call";
import type { ImportedMessage, ImportResult } from "./generated/types";
import type { CallOptions } from "./options";

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
   * @example const { imported, skipped } = await chat.imports.messages("room_1", messages);
   */
  messages(
    channelId: string,
    messages: readonly ImportedMessage[],
    options?: CallOptions,
  ): Promise<ImportResult> {
    const input = { path: { channel_id: channelId }, body: { messages: [...messages] } };
    return this.#api.call("imports.messages", input, options);
  }
}
