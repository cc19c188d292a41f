import type { FileSource } from "../files/source";
import type {
  Announcement,
  AnnouncementResults,
  Appended,
  Edit,
  Finish,
  Message,
  MessageReaders,
  MessagesGetQuery,
  MessagesListQuery,
  MessagesRepliesQuery,
  MessagesSearchQuery,
  NewAppend,
  NewAttachment,
  NewMessage,
} from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions, Page } from "../paging/page";
import type { Pager } from "../paging/pager";
import { linkSignal } from "../platform";
import type { Api } from "../transport/call";
import { type UploadOptions, uploadFile } from "./files";
import { joinIds } from "./join-ids";
import { Reactions } from "./message-reactions";
import { MessageWriter, type NewStreamedMessage } from "./message-writer";

/** The messages to list: at most one of `before`, `after` and `around`. By default the newest ones. */
export interface MessageRange extends ListOptions, Omit<MessagesListQuery, "message_ids" | "external_ids"> {
  /** Only these messages, in this order, without those that do not exist: 1 to 50. Only `as_user` goes with it. */
  message_ids?: readonly string[] | undefined;
  /** The same by ids of the application, which have no comma. */
  external_ids?: readonly string[] | undefined;
}

/** Of the operations that return messages. */
export interface MessageView extends MessagesGetQuery {}

/** What to search for. */
export interface MessageQuery extends ListOptions, MessagesSearchQuery {}

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

/** The replies to list. */
export interface ReplyRange extends ListOptions, MessagesRepliesQuery {}

/** A page of messages, newest first. `nextCursor` continues with older messages. */
export interface MessageListPage extends Page<Message> {
  /** The `cursor` of what comes after the newest message of this page, also of messages that do not exist yet. Absent only with `message_ids` and `external_ids`. */
  readonly newer?: string;
}

/** `chat.messages` */
export class Messages {
  readonly #api: Api;
  /** The reactions to a message. */
  readonly reactions: Reactions;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
    this.reactions = new Reactions(api);
  }

  /**
   * Lists the messages of a channel, newest first, towards older ones.
   *
   * A list with `cursor: page.newer` begins with the oldest message after that page; its first page is empty when there is
   * none. Throws `NotFoundError` for an unknown channel or message id, `BadRequestError` for a cursor of another list.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range Where to begin, or ids; `as_user`, whose reactions have `own`; and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example const { items, newer } = await chat.messages.list("room_1", { pageSize: 30 }).firstPage();
   */
  list(channelId: string, range: MessageRange = {}, options?: CallOptions): Pager<Message, MessageListPage> {
    const { message_ids, external_ids, ...page } = range;
    return createPager(this.#api, "messages.list", page, options, {
      path: { channel_id: channelId },
      filters: () => ({
        message_ids: joinIds("message_ids", message_ids, "messages.list"),
        external_ids: joinIds("external_ids", external_ids, "messages.list"),
      }),
      read: ({ messages, next, newer }) => ({
        items: messages,
        next,
        extra: () => ({ ...(newer !== undefined && { newer }) }),
      }),
    });
  }

  /**
   * Searches the messages of a channel, newest first. A page may have fewer messages than its size, or none, and still a
   * `nextCursor`: a loop over the messages goes on by itself.
   *
   * Throws `NotFoundError` when the channel or the sender does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param query `q`, 1 to 8 terms separated by white space, of which a message has to contain each; the sender, where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const message of chat.messages.search("room_1", { q: "noon" })) console.log(message.message_id);
   */
  search(channelId: string, query: MessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "messages.search", query, options, {
      path: { channel_id: channelId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Searches the messages of all channels, newest first, with the master key or a key with the scope `messages.searchAll`.
   * A page may have fewer messages than its size, or none, and still a `nextCursor`.
   *
   * Throws `NotFoundError` when the sender does not exist, `PermissionError` without the scope.
   *
   * @param query `q`, 1 to 8 terms separated by white space, of which a message has to contain each; the sender, where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const message of chat.messages.searchAll({ q: "noon" })) console.log(message.channel_id);
   */
  searchAll(query: MessageQuery, options?: CallOptions): Pager<Message> {
    return createPager(this.#api, "messages.searchAll", query, options, {
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Gets a message. Throws `NotFoundError` when the channel or the message does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param view `as_user`: a user whose reactions have `own`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const message = await chat.messages.get("room_1", "1700000000000-1041");
   */
  get(channelId: string, messageId: string, view?: MessageView, options?: CallOptions): Promise<Message> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.get", { path, ...(view && { query: view }) }, options);
  }

  /**
   * Lists the replies to a message, oldest first.
   *
   * Throws `NotFoundError` when the channel or the message does not exist, also when the message was deleted.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param range Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const reply of chat.messages.replies("room_1", "1700000000000-1041")) console.log(reply.message_id);
   */
  replies(
    channelId: string,
    messageId: string,
    range: ReplyRange = {},
    options?: CallOptions,
  ): Pager<Message> {
    return createPager(this.#api, "messages.replies", range, options, {
      path: { channel_id: channelId, message_id: messageId },
      read: ({ messages, next }) => ({ items: messages, next }),
    });
  }

  /**
   * Replaces the content and the parts of a text or system message, and the metadata of any message. With a key of the application, also
   * in a frozen channel.
   *
   * Throws `NotFoundError` when the channel or the message does not exist, `PermissionError` when a user edits who may not send,
   * `BadRequestError` for the content or parts of a file,
   * `ConflictError` (`message_changed`) when the message is no longer that of `if_updated_at`; `error.current` is the one it is now.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param edit `content`, `parts` and `meta`, each if it changes; `parts: []` removes the parts. With `if_updated_at`, the `updated_at` that you read, you overwrite no other edit.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.update("room_1", "1700000000000-1041", { content: "See you at one." });
   */
  update(channelId: string, messageId: string, edit: Edit, options?: CallOptions): Promise<Message> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.update", { path, body: edit }, options);
  }

  /**
   * Deletes a message: it is erased from the database.
   *
   * Throws `NotFoundError` when the channel or the message does not exist, `PermissionError` when a participant deletes in a frozen channel.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.delete("room_1", "1700000000000-1041");
   */
  delete(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.delete", { path }, options);
  }

  /**
   * Pins a message, so that `chat.channels.pins` lists it. Nothing changes if it is pinned.
   *
   * Throws `NotFoundError` when the channel or the message does not exist, `ConflictError` when 50 messages are pinned.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.pin("room_1", "1700000000000-1041");
   */
  pin(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.pin", { path }, options);
  }

  /**
   * Unpins a message. Nothing changes if it is not pinned. Throws `NotFoundError` when the channel or the message does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.unpin("room_1", "1700000000000-1041");
   */
  unpin(channelId: string, messageId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.unpin", { path }, options);
  }

  /**
   * Lists the participants who have read a message, without its sender: their read mark is at the message or later.
   *
   * Throws `NotFoundError` when the channel or the message does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { reader_count, member_count } = await chat.messages.readers("room_1", "1700000000000-1041");
   */
  readers(channelId: string, messageId: string, options?: CallOptions): Promise<MessageReaders> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.readers", { path }, options);
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
   * Appends text to a message that was sent with `streaming: true`. It is stored when the promise resolves. Sent again, the last
   * append changes nothing, so a failed call can be repeated with the same arguments.
   *
   * Throws `ConflictError` when `index` is not the number of appends so far, which is `error.appendCount` (`append_out_of_order`), when
   * the message has ended (`message_not_streaming`) or would be too long (`content_limit_exceeded`); `NotFoundError` when it does
   * not exist; `PermissionError` when the sender may no longer send.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param append `index`, how many appends the message has so far, and `content`, 1 to 16,384 characters.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.append("room_1", "1700000000000-1045", { index: 0, content: "Hello" });
   */
  append(channelId: string, messageId: string, append: NewAppend, options?: CallOptions): Promise<Appended> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.append", { path, body: append }, options);
  }

  /**
   * Ends a message that was sent with `streaming: true`, complete or `cancelled`. Sent again, the same request changes nothing.
   *
   * Throws `ConflictError` (`message_not_streaming`) when the message has ended otherwise, `NotFoundError` when it does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param finish `state`; and `content`, `parts` and `meta`, each if it replaces what was written.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const message = await chat.messages.finish("room_1", "1700000000000-1045", { state: "done" });
   */
  finish(channelId: string, messageId: string, finish: Finish, options?: CallOptions): Promise<Message> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.finish", { path, body: finish }, options);
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

  /**
   * Sends a message to several channels, for announcements. Each channel is independent: its result has the message, or the
   * `code` with which `send` would be rejected. Throws for none of these codes.
   *
   * @param announcement A text of 1 to 65,536 characters, parts, or both, or a reference to a file, its sender, and 1 to 100 channel ids.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.sendMany({ channel_ids: ["room_1"], user_id: "kim_01", type: "text", content: "Hello" });
   */
  sendMany(announcement: Announcement, options?: CallOptions): Promise<AnnouncementResults> {
    return this.#api.call("messages.sendMany", { body: announcement }, options);
  }
}

/** With it, a repeated call of `messages.send` finds the file that the first one has uploaded. Keys have at most 255 characters. */
const keyOfFile = (key: string | undefined, index: number) =>
  key === undefined ? undefined : `file-${index}:${key.slice(-240)}`;
