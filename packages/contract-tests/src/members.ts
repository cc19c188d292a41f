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
  given: { users, channels: [{ ...channel, members: users.map(({ user_id }) => user_id) }] },
  request: { params: { channel_id: channel.channel_id } },
  response: {
    status: 200,
    body: users.map((user, index) => presentUser(user, { joined_at: worldTime + index })),
  },
});

/** A request about a user and a channel that both exist; whether the user takes part is up to the world. */
const about = (user: NewUser, channel: NewChannel): Interaction => ({
  given: { users: [user], channels: [channel] },
  request: { params: { channel_id: channel.channel_id }, body: { member: user.user_id } },
  response: { status: 200 },
});
const joined = about(kim, room);
const left = about(kim, { ...room, members: [kim.user_id] });
const room100: NewChannel = { ...room, members: people(100).map(({ user_id }) => user_id) };

export const members = {
  "members.list": {
    "answers the participants, who joined first": listed(room, [park, lee, kim]),
    "answers an empty list": listed(room, []),
    "answers 100 participants": listed(room, people(100)),
    "leaves out who left and who was deleted": {
      ...listed(room),
      given: {
        users: [kim, lee, park],
        channels: [{ ...room, formerMembers: [lee.user_id], members: [kim.user_id, park.user_id] }],
        deletedUsers: [park.user_id],
      },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => listed({ ...room, channel_id })),
    ...missingChannelRules(listed(room), room.channel_id),
    ...requestRules(listed(room)),
  },

  "members.join": {
    "adds the user": joined,
    "changes nothing for one who takes part": left,
    "adds one who left before": about(kim, { ...room, formerMembers: [kim.user_id] }),
    "adds the hundredth participant": {
      ...joined,
      given: {
        users: [...people(99), kim],
        channels: [{ ...room, members: people(99).map(({ user_id }) => user_id) }],
      },
    },
    "refuses the hundred-and-first participant": {
      ...joined,
      given: { users: [...people(100), kim], channels: [room100] },
      response: refusal(409, "member_limit_exceeded"),
    },
    "changes nothing for one who takes part in a full channel": {
      given: { users: people(100), channels: [room100] },
      request: { params: { channel_id: room.channel_id }, body: { member: userIdOf(0) } },
      response: { status: 200 },
    },
    ...rule("path", "channel_id", idRule, (channel_id) => about(kim, { ...room, channel_id })),
    ...rule("body", "member", bodyIdRule, (user_id) => about({ ...kim, user_id }, room)),
    ...missingChannelRules(joined, room.channel_id),
    ...missingUserRules(joined, "member", kim.user_id),
    ...requiredRules(joined, ["member"]),
    ...bodyRules(joined),
    ...requestRules(joined),
  },

  "members.leave": {
    "removes the participant": left,
    "changes nothing for one who does not take part": joined,
    ...rule("path", "channel_id", idRule, (channel_id) => about(kim, { ...room, channel_id })),
    ...rule("body", "member", bodyIdRule, (user_id) => about({ ...kim, user_id }, room)),
    ...missingChannelRules(left, room.channel_id),
    ...missingUserRules(left, "member", kim.user_id),
    ...requiredRules(left, ["member"]),
    ...bodyRules(left),
    ...requestRules(left),
  },
} satisfies InteractionsOf<"members">;
