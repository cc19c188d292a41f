import * as z from "zod";
import { endTime, timestamp } from "../rules/fields";
import { user } from "./user";

export const memberEntry = user
  .extend({
    muted_until: endTime.optional().meta({
      description:
        "Until when the user cannot send and react in the channel, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not muted.",
    }),
    joined_at: timestamp.meta({
      description: "When the user joined, or became a manager, in milliseconds since the Unix epoch, UTC.",
    }),
  })
  .meta({ id: "MemberEntry", description: "A participant or manager, with the time it became one." });

export const readMark = {
  read_message_id: z
    .string()
    .optional()
    .meta({
      description: "The newest message that is marked as read. Absent when there is no mark yet.",
      examples: ["1700000000000-1042"],
    }),
};

export const participant = memberEntry.extend(readMark).meta({
  id: "Participant",
  description: "A participant, with the time of joining and the read mark.",
});
