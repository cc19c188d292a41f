import { BaseChannels } from "../generated/resources";
import type { ChannelWithMembers, NewChannel } from "../generated/types";
import type { CallOptions } from "../options";
import type { Api } from "./api";

/** The result of creating a channel. */
export interface CreatedChannel {
  /** The channel, with its members. */
  channel: ChannelWithMembers;
  /** `false` when `reuse` found a channel; the other fields of the request were then ignored. */
  created: boolean;
}

/** `chat.channels` */
export class Channels extends BaseChannels {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    super(api);
    this.#api = api;
  }

  /**
   * Creates a channel. With `reuse` and two members, returns the channel that these two already have to themselves.
   *
   * Throws `ConflictError` when the id exists already, `NotFoundError` when a member does not exist: nothing is then created.
   *
   * @param channel Its id, its name, at most 100 members, and optionally `profile_url` and metadata.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { channel, created } = await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
   */
  create(channel: NewChannel, options?: CallOptions): Promise<CreatedChannel> {
    return this.#api.call("channels.create", { body: channel }, options, (channel, { headers }) => ({
      channel,
      created: headers.get("x-channel-created") !== "false",
    }));
  }
}
