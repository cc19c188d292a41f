import { limits } from "@madang/contract";
import type { ChannelChange, ChannelFreeze, NewChannel } from "../generated/types";
import type { Handler } from "./handler";
import { takePage } from "./paging";
import { ServiceError } from "./service-error";
import { presentChannel, presentEntries, type StoredChannel, type World } from "./world";

export const channelHandlers = {
  "channels.create": ({ body }, { world, now }) => {
    const { channel_id, name, profile_url = "", members, reuse = false, meta = {} }: NewChannel = body;
    const ids = [...new Set(members)];
    const people = ids.map((id) => world.requireUser(id));
    const present = (channel: StoredChannel) => ({
      ...presentChannel(channel),
      members: presentEntries(world, channel.members).map(({ joined_at: _, ...user }) => user),
    });
    const match =
      reuse && ids.length === 2
        ? findMatch(
            world,
            people.map(({ person }) => person),
          )
        : undefined;
    if (match) return { body: present(match), headers: { "x-channel-created": "false" } };
    if (world.channels.has(channel_id))
      throw new ServiceError("channel_exists", `The channel ${channel_id} exists already.`);
    const channel: StoredChannel = {
      ...{ channel_id, name, profile_url, type: "group", freeze: false, meta },
      ...{ total_message_count: 0, total_file_count: 0, created_at: now, updated_at: now },
      order: world.nextNumber(),
      members: new Map(ids.map((userId) => [userId, { userId, joinedAt: now }])),
      managers: new Map(),
      everMembers: new Set(people.map(({ person }) => person)),
      everManaged: false,
      messages: [],
    };
    world.channels.set(channel_id, channel);
    return { body: present(channel), headers: { "x-channel-created": "true" } };
  },
  "channels.list": ({ query }, { world }) => {
    const page = takePage("channels", query, limits.channelPage.default, () =>
      [...world.channels.values()]
        .map((channel) => ({ row: presentChannel(channel), order: channel.order }))
        .sort((one, other) => other.order - one.order),
    );
    return { body: { channels: page.rows, ...(page.next !== undefined && { next: page.next }) } };
  },
  "channels.get": ({ params: { channel_id = "" } }, { world }) => ({
    body: presentChannel(world.requireChannel(channel_id)),
  }),
  "channels.update": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const channel = world.requireChannel(channel_id);
    const { name, profile_url = channel.profile_url ?? "" }: ChannelChange = body;
    return { body: presentChannel(Object.assign(channel, { name, profile_url, updated_at: now })) };
  },
  "channels.delete": ({ params: { channel_id = "" } }, { world }) => {
    world.requireChannel(channel_id);
    world.channels.delete(channel_id);
    return {};
  },
  "channels.freeze": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { freeze }: ChannelFreeze = body;
    const channel = world.requireChannel(channel_id);
    if (channel.freeze !== freeze) Object.assign(channel, { freeze, updated_at: now });
    return { body: presentChannel(channel) };
  },
} as const satisfies Record<string, Handler>;

/** The newest channel whose only participants ever are these two, and which never had a manager. */
function findMatch(world: World, persons: readonly number[]): StoredChannel | undefined {
  return [...world.channels.values()]
    .filter(({ members, everMembers, everManaged }) => {
      const isTheirs =
        members.size === 2 && everMembers.size === 2 && persons.every((one) => everMembers.has(one));
      return isTheirs && !everManaged;
    })
    .sort((one, other) => other.order - one.order)[0];
}
