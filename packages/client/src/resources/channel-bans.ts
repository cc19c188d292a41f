import type { Ban, ChannelsBansListQuery, NewBan } from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Where to begin, and the page size. */
export interface BanListOptions extends ListOptions, ChannelsBansListQuery {}

/** `chat.channels.bans` */
export class ChannelBans {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Lists the bans of a channel that are in force, newest first. Throws `NotFoundError` when the channel does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param page Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { user, reason } of chat.channels.bans.list("room_1")) console.log(user.name, reason);
   */
  list(channelId: string, page: BanListOptions = {}, options?: CallOptions): Pager<Ban> {
    return createPager(this.#api, "channels.bans.list", page, options, {
      path: { channel_id: channelId },
      read: ({ bans, next }) => ({ items: bans, next }),
    });
  }

  /**
   * Bans a user: ends its membership and manager role, and rejects its joins and sends until the ban ends.
   * Throws `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param ban Until when, without end if absent, and why.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.bans.add("room_1", "park_03", { reason: "Advertising" });
   */
  add(channelId: string, userId: string, ban?: NewBan, options?: CallOptions): Promise<void> {
    const input = {
      path: { channel_id: channelId, user_id: userId },
      ...(ban !== undefined && { body: ban }),
    };
    return this.#api.call("channels.bans.add", input, options);
  }

  /**
   * Removes a ban: the user can join again. Nothing changes if there is none.
   * Throws `NotFoundError` when the channel or the user does not exist.
   *
   * @param channelId The id of the channel: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param userId The id of the user: 4 to 80 characters; lower-case letters, digits and `_`.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.channels.bans.remove("room_1", "park_03");
   */
  remove(channelId: string, userId: string, options?: CallOptions): Promise<void> {
    const path = { channel_id: channelId, user_id: userId };
    return this.#api.call("channels.bans.remove", { path }, options);
  }
}
