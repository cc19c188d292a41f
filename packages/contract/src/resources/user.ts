import * as z from "zod";
import { endTime, nextCursor, profileUrl, timestamp } from "../rules/fields";
import { metaOutput } from "../rules/meta-fields";

export const user = z
  .object({
    user_id: z.string().meta({ description: "The id, set at creation.", examples: ["kim_01"] }),
    name: z.string().meta({ description: "The name, 1 to 80 characters.", examples: ["Kim"] }),
    profile_url: profileUrl,
    meta: metaOutput,
    created_at: timestamp,
    updated_at: timestamp.optional().meta({
      description:
        "When the user was last changed, in milliseconds since the Unix epoch, UTC. Absent where another user sees it.",
      examples: [1_700_000_000_000],
    }),
    suspended_until: endTime.optional().meta({
      description:
        "Until when the user cannot send, join and react, in milliseconds since the Unix epoch, UTC. 0: without end. Absent when the user is not suspended.",
    }),
  })
  .meta({ id: "User", description: "A user of the application." });

export const userPage = z
  .object({
    users: z.array(user).meta({ description: "The users, in the order of the list." }),
    next: nextCursor,
  })
  .meta({ id: "UserPage", description: "A page of users. `next` is present when there is another page." });
