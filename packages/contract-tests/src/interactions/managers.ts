import type { Interaction, InteractionsByOperation } from "../interaction";
import { kim, lee, park } from "../people";
import { refusal } from "../refusal";
import { bodyRules, requestRules } from "../request-rules";
import { describeRole, full } from "../roles";
import { room } from "../rooms";
import { idRule } from "../text-rules";
import { rule } from "../variants";

const { about, askedAgain, askedBeside, changeRules, holding, listed, listRules } = describeRole(
  "managers",
  "manager",
);
const added = about(kim, room);
const removed = about(kim, holding([kim]));
const participating = about(kim, { ...room, members: [kim.user_id] });

const revoked = (user_id: string, channel_id = room.channel_id): Interaction => ({
  given: { users: [{ ...kim, user_id }], channels: [{ ...room, channel_id, managers: [user_id] }] },
  request: { params: { channel_id, user_id } },
  response: { status: 200 },
});

export const managers = {
  "channels.managers.list": {
    "answers the managers, who was registered first": listed(room, [park, lee, kim]),
    "answers an empty list": listed(room, []),
    "answers a manager who left as a participant": {
      ...listed(room),
      given: { users: [kim], channels: [{ ...holding([kim]), formerMembers: [kim.user_id] }] },
    },
    "leaves out participants, former managers and who was deleted": {
      ...listed(room),
      given: {
        users: [kim, lee, park],
        channels: [{ ...holding([kim, park]), members: [lee.user_id], formerManagers: [lee.user_id] }],
        deletedUsers: [park.user_id],
      },
    },
    ...listRules(),
  },

  "channels.managers.add": {
    "registers one who does not take part": added,
    "registers a participant": participating,
    "changes nothing for one who is a manager": removed,
    "registers the tenth manager": askedBeside(9),
    "refuses the eleventh manager": full(askedBeside(10), "manager_limit_exceeded"),
    "changes nothing for one of ten managers": askedAgain(10),
    ...changeRules(about),
  },

  "channels.managers.remove": {
    "ends the role": removed,
    "refuses one who is no manager": { ...participating, response: refusal(404, "manager_not_found") },
    ...changeRules((user, channel) => about(user, holding([user], channel))),
  },

  "channels.managers.removeByPath": {
    "ends the role": revoked(kim.user_id),
    "refuses one who is no manager": {
      ...revoked(kim.user_id),
      given: { users: [kim], channels: [{ ...room, members: [kim.user_id] }] },
      response: refusal(404, "manager_not_found"),
    },
    "refuses an id that nobody has": {
      ...revoked(kim.user_id),
      request: { params: { channel_id: room.channel_id, user_id: "nobody" } },
      response: refusal(404, "user_not_found"),
    },
    "refuses an id that no channel has": {
      ...revoked(kim.user_id),
      request: { params: { channel_id: "nowhere", user_id: kim.user_id } },
      response: refusal(404, "channel_not_found"),
    },
    ...rule("path", "channel_id", idRule, (channel_id) => revoked(kim.user_id, channel_id)),
    ...rule("path", "user_id", idRule, (user_id) => revoked(user_id)),
    ...bodyRules(revoked(kim.user_id)),
    ...requestRules(revoked(kim.user_id)),
  },
} satisfies InteractionsByOperation;
