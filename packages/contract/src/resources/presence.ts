import * as z from "zod";
import { timestamp } from "../rules/fields";

export const presenceStatuses = ["online", "offline"] as const;
export type PresenceStatus = (typeof presenceStatuses)[number];

/** What `MADANG_PRESENCE` can be. */
export const presenceSettings = ["off", "status", "last_seen"] as const;
export type PresenceSetting = (typeof presenceSettings)[number];

export const presence = z
  .object({
    user_id: z.string().meta({ description: "The user.", examples: ["kim_01"] }),
    status: z.enum(presenceStatuses).meta({ description: "Whether the user is online." }),
    last_seen_at: timestamp.optional().meta({
      description:
        "When the user was last online, in milliseconds since the Unix epoch, UTC, rounded down to the minute. Absent while the user is online, and where the service does not store it.",
    }),
  })
  .meta({ id: "UserPresence", description: "Whether a user is online." });
