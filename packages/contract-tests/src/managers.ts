import type { InteractionsOf } from "./interaction";
import { kim, lee, park } from "./people";
import { refusal } from "./refusal";
import { describeRole, full } from "./roles";
import { room } from "./rooms";

const { about, askedAgain, askedBeside, changeRules, holding, listed, listRules } = describeRole(
  "managers",
  "manager",
);
const added = about(kim, room);
const removed = about(kim, holding([kim]));
const participating = about(kim, { ...room, members: [kim.user_id] });

export const managers = {
  "managers.list": {
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

  "managers.add": {
    "registers one who does not take part": added,
    "registers a participant": participating,
    "changes nothing for one who is a manager": removed,
    "registers the tenth manager": askedBeside(9),
    "refuses the eleventh manager": full(askedBeside(10), "manager_limit_exceeded"),
    "changes nothing for one of ten managers": askedAgain(10),
    ...changeRules(about),
  },

  "managers.remove": {
    "ends the role": removed,
    "refuses one who is no manager": { ...participating, response: refusal(404, "manager_not_found") },
    ...changeRules((user, channel) => about(user, holding([user], channel))),
  },
} satisfies InteractionsOf<"managers">;
