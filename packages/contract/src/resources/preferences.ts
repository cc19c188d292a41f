import * as z from "zod";
import { futureTimeRule, timestamp } from "../rules/fields";

/** Which messages of a channel are pushed to a participant. */
export const notifySettings = ["all", "mentions", "none"] as const;

const onlyOneRule = "Only one of hidden, archived and pinned can be true.";
const atLeastOneRule = "Must contain notify, quiet_until, hidden, archived or pinned.";

/** A change of preferences. Absent fields keep their value. */
export const preferencesChange = z
  .strictObject({
    notify: z
      .enum(notifySettings)
      .optional()
      .meta({ description: "Which messages are pushed: all, those that mention the user, or none." }),
    quiet_until: z
      .int(futureTimeRule)
      .min(1, futureTimeRule)
      .nullable()
      .optional()
      .meta({
        description:
          "Until when nothing is pushed or counted, in milliseconds since the Unix epoch, UTC. `null` ends it.",
        format: "unix-ms",
        examples: [4_102_444_800_000],
      }),
    hidden: z
      .boolean()
      .optional()
      .meta({ description: "Whether the channel is left out of the inbox until its next message." }),
    archived: z
      .boolean()
      .optional()
      .meta({ description: "Whether the channel is listed apart from the inbox, until this ends." }),
    pinned: z.boolean().optional().meta({ description: "Whether the channel is pinned." }),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), atLeastOneRule)
  .refine(
    ({ hidden, archived, pinned }) => [hidden, archived, pinned].filter(Boolean).length <= 1,
    onlyOneRule,
  )
  .meta({
    id: "PreferencesChange",
    description: "A change of the preferences of a participant for a channel.",
  });

/** Preferences in a response, without those that have their default. */
export const preferences = z
  .object({
    notify: z
      .enum(["mentions", "none"])
      .optional()
      .meta({ description: "Which messages are pushed. Absent: all." }),
    quiet_until: timestamp.optional().meta({
      description:
        "Until when nothing is pushed or counted, in milliseconds since the Unix epoch, UTC. Absent when this has passed.",
    }),
    hidden: z
      .literal(true)
      .optional()
      .meta({ description: "The channel is left out of the inbox until its next message." }),
    archived: z.literal(true).optional().meta({ description: "The channel is listed apart from the inbox." }),
    pinned_at: timestamp.optional().meta({
      description: "When the channel was pinned, in milliseconds since the Unix epoch, UTC.",
    }),
  })
  .meta({
    id: "Preferences",
    description: "The preferences of a participant for a channel. Default values are absent.",
  });
