import type { MessageReactions, MessagesReactionsListQuery, Reaction } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Where to begin, and the page size. */
export interface ReactionListOptions extends ListOptions, MessagesReactionsListQuery {}

/** `chat.messages.reactions` */
export class Reactions {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the reactions to a message with their users, oldest first.
   *
   * Throws `NotFoundError` when the channel or the message does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param page Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { reaction, user } of chat.messages.reactions.list("room_1", "1700000000000-1041")) console.log(reaction, user.name);
   */
  list(
    channelId: string,
    messageId: string,
    page: ReactionListOptions = {},
    options?: CallOptions,
  ): Pager<Reaction> {
    return createPager(this.#api, "messages.reactions.list", page, options, {
      path: { channel_id: channelId, message_id: messageId },
      read: ({ reactions, next }) => ({ items: reactions, next }),
    });
  }

  /**
   * Adds the reaction of a user to a message, and returns the counts. Nothing changes if the user has it already.
   *
   * Throws `PermissionError` when the user may not send to the channel, `NotFoundError` when the channel, the message or the
   * user does not exist, `ConflictError` when the message has 20 different reactions already.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param reaction An emoji or a word: 1 to 32 characters without white space and control characters.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.reactions.add("room_1", "1700000000000-1041", "👍", "park_03");
   */
  add(
    channelId: string,
    messageId: string,
    reaction: string,
    userId: string,
    options?: CallOptions,
  ): Promise<MessageReactions> {
    const path = { channel_id: channelId, message_id: messageId, reaction, user_id: userId };
    return this.#api.call("messages.reactions.add", { path }, options);
  }

  /**
   * Removes the reaction of a user from a message, and returns the counts. Nothing changes if it is not there.
   *
   * Throws `NotFoundError` when the channel, the message or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param messageId The id of the message, as the service returned it.
   * @param reaction The reaction, as it was added or listed.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.messages.reactions.remove("room_1", "1700000000000-1041", "👍", "park_03");
   */
  remove(
    channelId: string,
    messageId: string,
    reaction: string,
    userId: string,
    options?: CallOptions,
  ): Promise<MessageReactions> {
    const path = { channel_id: channelId, message_id: messageId, reaction, user_id: userId };
    return this.#api.call("messages.reactions.remove", { path }, options);
  }
}
