import { limits } from "@madang/contract";
import type { MemberChange } from "../generated/types";
import type { Handler } from "./handler";
import { ServiceError } from "./service-error";
import { presentEntries } from "./world";

export const memberHandlers = {
  "channels.members.list": ({ params: { channel_id = "" } }, { world }) => ({
    body: presentEntries(world, world.requireChannel(channel_id).members),
  }),
  "channels.members.join": ({ params: { channel_id = "" }, body }, { world, now }) => {
    const { member }: MemberChange = body;
    const { members, everMembers } = world.requireChannel(channel_id);
    const { person } = world.requireUser(member);
    if (members.has(member)) return {};
    if (members.size >= limits.membersPerChannel)
      throw new ServiceError("member_limit_exceeded", `The channel has ${members.size} members.`);
    members.set(member, { userId: member, joinedAt: now });
    everMembers.add(person);
    return {};
  },
  "channels.members.leave": ({ params: { channel_id = "" }, body }, { world }) => {
    const { member }: MemberChange = body;
    const { members } = world.requireChannel(channel_id);
    world.requireUser(member);
    members.delete(member);
    return {};
  },
} as const satisfies Record<string, Handler>;
