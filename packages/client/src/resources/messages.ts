import type { FileSource } from "../files/source";
import { BaseMessages } from "../generated/resources";
import type { Message, NewAttachment, NewMessage } from "../generated/types";
import type { CallOptions } from "../options";
import { linkSignal } from "../platform";
import type { Api } from "./api";
import { type UploadOptions, uploadFile } from "./files";
import { MessageWriter, type NewStreamedMessage } from "./message-writer";

/** A file to upload and send. */
export interface FileToSend extends Pick<UploadOptions, "name" | "type" | "size" | "onProgress"> {
  /** A `Blob` or `File`, bytes such as a `Buffer`, a stream with `size`, the path of a file, or `{ uri, name, type }` on a phone. */
  file: FileSource;
}

/** Options of `messages.send`. */
export interface SendOptions extends CallOptions {
  /** Files to upload first, for the sender: with those in `attachments` at most 10. */
  files?: readonly FileToSend[] | undefined;
}

/** `chat.messages` */
export class Messages extends BaseMessages {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * Sends a message from a user to a channel.
   *
   * Throws `PermissionError` when the sender is neither a participant nor a manager, or the channel is frozen and the sender
   * is not a manager; `NotFoundError` when the channel, the user, the message of `reply_to` or one of `mentions` does not exist;
   * `ConflictError` (`external_id_exists`) when the channel has a message with the `external_id`, whose id is `error.messageId`.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param message A text of 1 to 65,536 characters, parts, or both, or a reference to a file, and its sender; or a system message.
   * @param options Files to upload first, timeouts, retries, headers and signal of this call.
   * @example await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
   */
  async send(channelId: string, message: NewMessage, options: SendOptions = {}): Promise<Message> {
    const { files = [], ...callOptions } = options;
    const user_id = message.type === "system" ? undefined : message.user_id;
    const { idempotencyKey, ...uploadOptions } = callOptions;
    const controller = new AbortController();
    const { signal } = controller;
    const unlink = linkSignal(uploadOptions.signal, controller);
    const uploads = files.map(async ({ file, ...about }, index) => ({
      file_id: await uploadFile(this.#api, channelId, file, {
        ...uploadOptions,
        ...about,
        user_id,
        signal,
        idempotencyKey: keyOfFile(idempotencyKey, index),
      }),
    }));
    const uploaded = await Promise.all(uploads)
      .finally(unlink)
      .catch((error: unknown) => {
        // Without one of the files, nothing is sent.
        controller.abort();
        throw error;
      });
    const { attachments = [] } = message as { attachments?: NewAttachment[] };
    const body = uploaded.length === 0 ? message : { ...message, attachments: [...attachments, ...uploaded] };
    return this.#api.call("messages.send", { path: { channel_id: channelId }, body }, callOptions);
  }

  /**
   * Begins a message that is written while people read, such as the answer of a language model.
   *
   * Throws what `send` throws.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param message A text or system message; its `content` is the beginning, and may be absent.
   * @param options Timeouts, retries, headers and signal of each request; the idempotency key of the first.
   * @example const writer = await chat.messages.stream("room_1", { user_id: "kim_01", type: "text" });
   */
  stream(channelId: string, message: NewStreamedMessage, options?: CallOptions): Promise<MessageWriter> {
    const body = { ...message, streaming: true };
    return this.#api.call(
      "messages.send",
      { path: { channel_id: channelId }, body },
      options,
      (sent) => new MessageWriter(this.#api, sent, options),
    );
  }

  /**
   * Continues a message whose writer has ended, at the end of its `content`. Sends nothing.
   *
   * Throws `ValidationError` for a message whose `state` is neither `streaming` nor `interrupted`.
   *
   * @param message The message, as another method has just returned it.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example const writer = chat.messages.resume(await chat.messages.get("room_1", "1700000000000-1045"));
   */
  resume(message: Message, options?: CallOptions): MessageWriter {
    return new MessageWriter(this.#api, message, options);
  }
}

/** With it, a repeated call of `messages.send` finds the file that the first one has uploaded. Keys have at most 255 characters. */
const keyOfFile = (key: string | undefined, index: number) =>
  key === undefined ? undefined : `file-${index}:${key.slice(-240)}`;
