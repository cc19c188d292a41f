import { limits } from "@madang/contract";
import type { ManagerChange } from "../generated/types";
import type { Handler, HandlerResult } from "./handler";
import { ServiceError } from "./service-error";
import { presentEntries, type World } from "./world";

export const managerHandlers = {
  "channels.managers.list": ({ params: { channel_id = "" } }, { world }) => ({
    body: presentEntries(world, world.requireChannel(channel_id).managers),
  }),
  "channels.managers.add": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { manager }: ManagerChange = body;
    const channel = world.requireChannel(channel_id);
    world.requireUser(manager);
    if (channel.managers.has(manager)) return {};
    if (channel.managers.size >= limits.managersPerChannel)
      throw new ServiceError("manager_limit_exceeded", `The channel has ${channel.managers.size} managers.`);
    channel.managers.set(manager, { userId: manager, joinedAt: now });
    channel.everManaged = true;
    return {};
  },
  "channels.managers.remove": ({ params: { channel_id = "" }, body }, { world }) => {
    const { manager }: ManagerChange = body;
    return removeManager(world, channel_id, manager);
  },
  "channels.managers.removeByPath": ({ params: { channel_id = "", user_id = "" } }, { world }) =>
    removeManager(world, channel_id, user_id),
} as const satisfies Record<string, Handler>;

function removeManager(world: World, channelId: string, userId: string): HandlerResult {
  const { managers } = world.requireChannel(channelId);
  world.requireUser(userId);
  if (!managers.delete(userId))
    throw new ServiceError("manager_not_found", `${userId} is not a manager of the channel.`);
  return {};
}
