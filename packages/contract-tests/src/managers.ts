import type { Interaction, InteractionsOf } from "./interaction";
import { missingChannelRules, missingUserRules } from "./missing-rules";
import { kim, lee, park, people, presentUser, userIdOf } from "./people";
import { refusal } from "./refusal";
import { bodyRules, requestRules, requiredRules } from "./request-rules";
import { room } from "./rooms";
import { bodyIdRule, idRule } from "./text-rules";
import { rule } from "./variants";
import { type NewChannel, type NewUser, worldTime } from "./world";

const listed = (channel: NewChannel, users: readonly NewUser[] = [kim]): Interaction => ({
  given: { users, channels: [{ ...channel, managers: users.map(({ user_id }) => user_id) }] },
  request: { params: { channel_id: channel.channel_id } },
  response: {
    status: 200,
    body: users.map((user, index) => presentUser(user, { joined_at: worldTime + index })),
  },
});

/** A request about a user and a channel that both exist; whether the user is a manager is up to the world. */
const about = (user: NewUser, channel: NewChannel): Interaction => ({
  given: { users: [user], channels: [channel] },
  request: { params: { channel_id: channel.channel_id }, body: { manager: user.user_id } },
  response: { status: 200 },
});
const added = about(kim, room);
const managed: NewChannel = { ...room, managers: [kim.user_id] };
const removed = about(kim, managed);
const room10: NewChannel = { ...room, managers: people(10).map(({ user_id }) => user_id) };

export const managers = {
  "managers.list": {
    "answers the managers, who was registered first": listed(room, [park, lee, kim]),
    "answers an empty list": listed(room, []),
    "answers a manager who left as a participant": {
      ...listed(room),
      given: {
        users: [kim],
        channels: [{ ...managed, formerMembers: [kim.user_id] }],
      },
    },
    "leaves out participants, former managers and who was deleted": {
      ...listed(room),
      given: {
        users: [kim, lee, park],
        channels: [
          {
            ...room,
            members: [lee.user_id],
            formerManagers: [lee.user_id],
            managers: [kim.user_id, park.user_id],
          },
        ],
        deletedUsers: [park.user_id],
      },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => listed({ ...room, channel_id })),
    ...missingChannelRules(listed(room), room.channel_id),
    ...requestRules(listed(room)),
  },

  "managers.add": {
    "registers one who does not take part": added,
    "registers a participant": about(kim, { ...room, members: [kim.user_id] }),
    "changes nothing for one who is a manager": removed,
    "registers the tenth manager": {
      ...added,
      given: {
        users: [...people(9), kim],
        channels: [{ ...room, managers: people(9).map(({ user_id }) => user_id) }],
      },
    },
    "refuses the eleventh manager": {
      ...added,
      given: { users: [...people(10), kim], channels: [room10] },
      response: refusal(409, "manager_limit_exceeded"),
    },
    "changes nothing for one of ten managers": {
      given: { users: people(10), channels: [room10] },
      request: { params: { channel_id: room.channel_id }, body: { manager: userIdOf(0) } },
      response: { status: 200 },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => about(kim, { ...room, channel_id })),
    ...rule("body", "manager", bodyIdRule, (user_id) => about({ ...kim, user_id }, room)),
    ...missingChannelRules(added, room.channel_id),
    ...missingUserRules(added, "manager", kim.user_id),
    ...requiredRules(added, ["manager"]),
    ...bodyRules(added),
    ...requestRules(added),
  },

  "managers.remove": {
    "ends the role": removed,
    "refuses one who is no manager": {
      ...about(kim, { ...room, members: [kim.user_id] }),
      response: refusal(404, "manager_not_found"),
    },
    ...rule("path", "channel_id", idRule, (channel_id) => about(kim, { ...managed, channel_id })),
    ...rule("body", "manager", bodyIdRule, (user_id) =>
      about({ ...kim, user_id }, { ...room, managers: [user_id] }),
    ),
    ...missingChannelRules(removed, room.channel_id),
    ...missingUserRules(removed, "manager", kim.user_id),
    ...requiredRules(removed, ["manager"]),
    ...bodyRules(removed),
    ...requestRules(removed),
  },
} satisfies InteractionsOf<"managers">;
