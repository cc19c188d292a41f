import type { InteractionsByOperation } from "../interaction";
import { kim, lee, park, people } from "../people";
import { describeRole, full } from "../roles";
import { room } from "../rooms";

const { about, askedAgain, askedBeside, changeRules, holding, listed, listRules } = describeRole(
  "members",
  "member",
);
const joined = about(kim, room);
const left = about(kim, holding([kim]));

export const members = {
  "channels.members.list": {
    "answers the participants, who joined first": listed(room, [park, lee, kim]),
    "answers an empty list": listed(room, []),
    "answers 100 participants": listed(room, people(100)),
    "leaves out who left and who was deleted": {
      ...listed(room),
      given: {
        users: [kim, lee, park],
        channels: [{ ...holding([kim, park]), formerMembers: [lee.user_id] }],
        deletedUsers: [park.user_id],
      },
    },
    ...listRules(),
  },

  "channels.members.join": {
    "adds the user": joined,
    "changes nothing for one who takes part": left,
    "adds one who left before": about(kim, { ...room, formerMembers: [kim.user_id] }),
    "adds the hundredth participant": askedBeside(99),
    "refuses the hundred-and-first participant": full(askedBeside(100), "member_limit_exceeded"),
    "changes nothing for one who takes part in a full channel": askedAgain(100),
    ...changeRules(about),
  },

  "channels.members.leave": {
    "removes the participant": left,
    "changes nothing for one who does not take part": joined,
    ...changeRules((user, channel) => about(user, holding([user], channel))),
  },
} satisfies InteractionsByOperation;
