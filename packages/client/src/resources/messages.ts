import type { Edit, Message, MessagesListQuery, NewMessage } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions, Page } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** The messages to list: at most one of `before`, `after` and `around`. By default the newest ones. */
export interface MessageRange extends ListOptions, Omit<MessagesListQuery, "limit" | "next"> {
  /** How many messages the service puts on a page: 1 to 100, default 30. */
  pageSize?: number | undefined;
}

/** A page of messages, newest first. `nextCursor` continues with older messages. */
export interface MessageListPage extends Page<Message> {
  /** The `cursor` of what comes after the newest message of this page, also of messages that do not exist yet. */
  readonly newer: string;
}

/** `chat.messages` */
export class Messages {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the messages of a channel, newest first, towards older ones.
   *
   * A list with `cursor: page.newer` begins with the oldest message after that page; its first page is empty when there is
   * none. Throws `NotFoundError` for an unknown channel or message id, `BadRequestError` for a cursor of another list.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param range Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example const { items, newer } = await chat.messages.list("room_1", { pageSize: 30 }).firstPage();
   */
  list(channelId: string, range: MessageRange = {}, options?: CallOptions): Pager<Message, MessageListPage> {
    const { before, after, around } = range;
    return createPager(this.#api, "messages.list", range, options, {
      request: () => ({ path: { channel_id: channelId }, query: { before, after, around } }),
      read: ({ messages, next, newer }) => ({ items: messages, next, extra: () => ({ newer }) }),
    });
  }

  /**
   * Gets a message. Throws `NotFoundError` when the channel or the message does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const message = await chat.messages.get("room_1", "1700000000000-1041");
   */
  get(channelId: string, messageId: string, options?: CallOptions): Promise<Message> {
    return this.#api.call(
      "messages.get",
      { path: { channel_id: channelId, message_id: messageId } },
      options,
    );
  }

  /**
   * Replaces the content of a text message, the metadata of any message, or both; also in a frozen channel.
   *
   * Throws `NotFoundError` when the channel or the message does not exist, `BadRequestError` for the content of a file.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param edit `content`, `meta`, or both.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.update("room_1", "1700000000000-1041", { content: "See you at one." });
   */
  update(channelId: string, messageId: string, edit: Edit, options?: CallOptions): Promise<Message> {
    const path = { channel_id: channelId, message_id: messageId };
    return this.#api.call("messages.update", { path, body: edit }, options);
  }

  /**
   * Deletes a message: it is erased from the database. Throws `NotFoundError` when the channel or the message does not exist.
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
   * Sends a message from a user to a channel.
   *
   * Throws `PermissionError` when the sender is neither a participant nor a manager, or the channel is frozen and the sender
   * is not a manager; `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param message A text of 1 to 8,192 characters, or a reference to a file, and its sender.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
   */
  send(channelId: string, message: NewMessage, options?: CallOptions): Promise<Message> {
    return this.#api.call("messages.send", { path: { channel_id: channelId }, body: message }, options);
  }
}
