import type { Interaction, Interactions } from "./interaction";
import { missingChannelRules, missingUserRules } from "./missing-rules";
import { kim, people, presentUser, userIdOf } from "./people";
import { refusal } from "./refusal";
import { bodyRules, requestRules, requiredRules } from "./request-rules";
import { room } from "./rooms";
import { bodyIdRule, idRule } from "./text-rules";
import { rule } from "./variants";
import { type NewChannel, type NewUser, worldTime } from "./world";

/** What taking part and managing have in common: a list of people with a time, and a call that names one of them. */
export function describeRole(list: "members" | "managers", field: "member" | "manager") {
  /** The channel with these people in the role. */
  const holding = (users: readonly NewUser[], channel: NewChannel = room): NewChannel => ({
    ...channel,
    [list]: users.map(({ user_id }) => user_id),
  });

  const listed = (channel: NewChannel, users: readonly NewUser[] = [kim]): Interaction => ({
    given: { users, channels: [holding(users, channel)] },
    request: { params: { channel_id: channel.channel_id } },
    response: {
      status: 200,
      body: users.map((user, index) => presentUser(user, { joined_at: worldTime + index })),
    },
  });

  /** A request about a user and a channel that both exist; whether the user has the role is up to the world. */
  const about = (user: NewUser, channel: NewChannel): Interaction => ({
    given: { users: [user], channels: [channel] },
    request: { params: { channel_id: channel.channel_id }, body: { [field]: user.user_id } },
    response: { status: 200 },
  });

  return {
    holding,
    listed,
    about,

    /** Kim asks for the role where so many have it. */
    askedBeside: (count: number): Interaction => ({
      ...about(kim, room),
      given: { users: [...people(count), kim], channels: [holding(people(count))] },
    }),

    /** One of so many asks for the role again. */
    askedAgain: (count: number): Interaction => ({
      given: { users: people(count), channels: [holding(people(count))] },
      request: { params: { channel_id: room.channel_id }, body: { [field]: userIdOf(0) } },
      response: { status: 200 },
    }),

    listRules: (): Interactions => ({
      ...rule("path", "channel_id", idRule, (channel_id) => listed({ ...room, channel_id })),
      ...missingChannelRules(listed(room), room.channel_id),
      ...requestRules(listed(room)),
    }),

    /** The rules of a call that changes who has the role, made out of one that is accepted. */
    changeRules(accepted: (user: NewUser, channel: NewChannel) => Interaction): Interactions {
      const usual = accepted(kim, room);
      return {
        ...rule("path", "channel_id", idRule, (channel_id) => accepted(kim, { ...room, channel_id })),
        ...rule("body", field, bodyIdRule, (user_id) => accepted({ ...kim, user_id }, room)),
        ...missingChannelRules(usual, room.channel_id),
        ...missingUserRules(usual, field, kim.user_id),
        ...requiredRules(usual, [field]),
        ...bodyRules(usual),
        ...requestRules(usual),
      };
    },
  };
}

/** The same request, refused because all places are taken. */
export function full(
  asked: Interaction,
  code: "member_limit_exceeded" | "manager_limit_exceeded",
): Interaction {
  return { ...asked, response: refusal(409, code) };
}
