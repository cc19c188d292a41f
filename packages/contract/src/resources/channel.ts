import * as z from "zod";
import { nextCursor, profileUrl, timestamp } from "../rules/fields";
import { metaOutput } from "../rules/meta-fields";
import { user } from "./user";

const retention = z
  .object({
    days: z
      .int()
      .optional()
      .meta({
        description:
          "Messages older than this many days are erased. Absent: the setting of the server applies.",
        examples: [365],
      }),
    hold: z.boolean().meta({ description: "While `true`, neither retention nor erasures delete messages." }),
  })
  .meta({ id: "Retention", description: "How long the messages of a channel are kept." });

export const channel = z
  .object({
    channel_id: z.string().meta({ description: "The id, set at creation.", examples: ["room_1"] }),
    name: z.string().meta({ description: "The name, 1 to 150 characters.", examples: ["Lunch"] }),
    profile_url: profileUrl,
    type: z.string().meta({ description: "Always `group`.", examples: ["group"] }),
    freeze: z.boolean().meta({ description: "Whether only managers may send messages." }),
    slow_mode_seconds: z
      .int()
      .optional()
      .meta({
        description:
          "How many seconds a participant who is not a manager waits between two messages. Absent: none.",
        examples: [30],
      }),
    retention: retention.optional().meta({
      description:
        "How long messages are kept. Absent: the setting of the server applies. Users do not see it.",
    }),
    total_message_count: z.int().meta({ description: "The number of messages ever sent, including files." }),
    total_file_count: z
      .int()
      .meta({ description: "The number of file messages ever sent. Attachments do not count." }),
    meta: metaOutput,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "Channel", description: "A group channel." });

export const channelWithMembers = channel
  .extend({ members: z.array(user).meta({ description: "The participants of the channel." }) })
  .meta({ id: "ChannelWithMembers", description: "A group channel with its participants." });

export const channelPage = z
  .object({
    channels: z.array(channel).meta({ description: "The channels, in the order of the list." }),
    next: nextCursor,
  })
  .meta({
    id: "ChannelPage",
    description: "A page of channels. `next` is present when there is another page.",
  });
