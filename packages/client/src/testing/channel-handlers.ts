import { limits } from "@madang/contract";
import type { ChannelChange, NewChannel } from "../wire";
import type { Handler, HandlerResult } from "./handler";
import { takePage } from "./paging";
import { Refusal } from "./refuse";
import { type Entry, presentChannel, presentUser, type StoredChannel, type World } from "./world";

const byTime = (one: Entry, other: Entry) => one.joinedAt - other.joinedAt;

export const channelHandlers = {
  "channels.create": ({ body }, { world, now }) => {
    const { channel_id, name, profile_url = "", members, reuse = false, meta = {} }: NewChannel = body;
    const ids = [...new Set(members)];
    const people = ids.map((id) => world.requireUser(id));
    const present = (channel: StoredChannel) => ({
      ...presentChannel(channel),
      members: listEntries(world, channel.members).map(({ joined_at: _, ...user }) => user),
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
      throw new Refusal("channel_exists", `There is a channel ${channel_id} already.`);
    const channel: StoredChannel = {
      ...{ channel_id, name, profile_url, type: "group", freeze: false, meta },
      ...{ total_message_count: 0, total_file_count: 0, created_at: now, updated_at: now },
      order: world.count(),
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
    const { freeze }: { freeze: boolean } = body;
    const channel = world.requireChannel(channel_id);
    if (channel.freeze !== freeze) Object.assign(channel, { freeze, updated_at: now });
    return { body: presentChannel(channel) };
  },
  "channels.members.list": ({ params: { channel_id = "" } }, { world }) => ({
    body: listEntries(world, world.requireChannel(channel_id).members),
  }),
  "channels.members.join": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { member }: { member: string } = body;
    const { members, everMembers } = world.requireChannel(channel_id);
    const { person } = world.requireUser(member);
    if (members.has(member)) return {};
    if (members.size >= limits.membersPerChannel)
      throw new Refusal("member_limit_exceeded", `The channel has ${members.size} members.`);
    members.set(member, { userId: member, joinedAt: now });
    everMembers.add(person);
    return {};
  },
  "channels.members.leave": ({ params: { channel_id = "" }, body }, { world }) => {
    const { member }: { member: string } = body;
    const { members } = world.requireChannel(channel_id);
    world.requireUser(member);
    members.delete(member);
    return {};
  },
  "channels.managers.list": ({ params: { channel_id = "" } }, { world }) => ({
    body: listEntries(world, world.requireChannel(channel_id).managers),
  }),
  "channels.managers.add": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { manager }: { manager: string } = body;
    const channel = world.requireChannel(channel_id);
    world.requireUser(manager);
    if (channel.managers.has(manager)) return {};
    if (channel.managers.size >= limits.managersPerChannel)
      throw new Refusal("manager_limit_exceeded", `The channel has ${channel.managers.size} managers.`);
    channel.managers.set(manager, { userId: manager, joinedAt: now });
    channel.everManaged = true;
    return {};
  },
  "channels.managers.remove": ({ params: { channel_id = "" }, body }, { world }) => {
    const { manager }: { manager: string } = body;
    return removeManager(world, channel_id, manager);
  },
  "channels.managers.revoke": ({ params: { channel_id = "", user_id = "" } }, { world }) =>
    removeManager(world, channel_id, user_id),
} as const satisfies Record<string, Handler>;

function removeManager(world: World, channelId: string, userId: string): HandlerResult {
  const { managers } = world.requireChannel(channelId);
  world.requireUser(userId);
  if (!managers.delete(userId))
    throw new Refusal("manager_not_found", `${userId} is no manager of the channel.`);
  return {};
}

function listEntries(world: World, entries: ReadonlyMap<string, Entry>) {
  return [...entries.values()]
    .sort(byTime)
    .map(({ userId, joinedAt }) => ({ ...presentUser(world.requireUser(userId)), joined_at: joinedAt }));
}

/** The newest channel in which these two and nobody else ever took part, and which never had a manager. */
function findMatch(world: World, persons: readonly number[]): StoredChannel | undefined {
  return [...world.channels.values()]
    .filter(({ members, everMembers, everManaged }) => {
      const isTheirs =
        members.size === 2 && everMembers.size === 2 && persons.every((one) => everMembers.has(one));
      return isTheirs && !everManaged;
    })
    .sort((one, other) => other.order - one.order)[0];
}
