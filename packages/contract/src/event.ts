import * as z from "zod";
import { channel } from "./channel";
import { endTime, timestamp } from "./fields";
import { message } from "./message";
import { report } from "./reports";
import { user } from "./user";

const stateOf = (resource: string) => `The ${resource} as it is now. Absent when it no longer exists.`;

const ofUser = {
  user_id: z.string().meta({ description: "The user.", examples: ["kim_01"] }),
  user: user.optional().meta({ description: stateOf("user") }),
};
const ofChannel = {
  channel_id: z.string().meta({ description: "The channel.", examples: ["room_1"] }),
  channel: channel.optional().meta({ description: stateOf("channel") }),
};
const ofMessage = {
  message_id: z.string().meta({ description: "The message.", examples: ["1700000000000-1042"] }),
  message: message.optional().meta({ description: stateOf("message") }),
};

const inChannel = {
  channel_id: z.string().meta({ description: "The channel to which the event belongs." }),
};
const byUser = { user_id: z.string().meta({ description: "The user to whom the event belongs." }) };

interface EventPlan<
  Types extends readonly string[],
  About extends z.ZodRawShape,
  Data extends z.ZodRawShape,
> {
  readonly types: Types;
  readonly about: About;
  readonly data: Data;
}

/** An event of one of several types that have the same fields. */
function defineEvent<
  const Types extends readonly string[],
  About extends z.ZodRawShape,
  Data extends z.ZodRawShape,
>(id: string, description: string, { types, about, data }: EventPlan<Types, About, Data>) {
  return z
    .object({
      event_id: z.string().meta({ description: "The id. It is unique.", examples: ["evt_1700000000000_7"] }),
      type: z.literal(types).meta({ description: "What happened." }),
      created_at: timestamp,
      ...about,
      data: z
        .object(data)
        .meta({ id: `${id}Data`, description: `The data of ${description}` })
        .meta({ description: "What the event is about, as it is now." }),
    })
    .meta({ id, description: `${description.charAt(0).toUpperCase()}${description.slice(1)}` });
}

export const userEvent = defineEvent("UserEvent", "an event of a user.", {
  types: ["user.created", "user.updated", "user.deleted"],
  about: byUser,
  data: ofUser,
});

export const channelEvent = defineEvent("ChannelEvent", "an event of a channel.", {
  types: ["channel.created", "channel.updated", "channel.deleted"],
  about: inChannel,
  data: ofChannel,
});

export const memberEvent = defineEvent("MemberEvent", "an event of a participant or a manager.", {
  types: [
    "member.joined",
    "member.left",
    "member.unmuted",
    "member.unbanned",
    "manager.added",
    "manager.removed",
  ],
  about: { ...inChannel, ...byUser },
  data: ofUser,
});

export const readEvent = defineEvent("ReadEvent", "a read mark that moved.", {
  types: ["member.read"],
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    read_message_id: z.string().meta({ description: "The newest message that is marked as read." }),
  },
});

export const muteEvent = defineEvent("MuteEvent", "a participant who was muted.", {
  types: ["member.muted"],
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    muted_until: endTime.optional().meta({
      description:
        "Until when, in milliseconds since the Unix epoch, UTC. 0: without end. Absent after the user was erased.",
    }),
  },
});

export const banEvent = defineEvent("BanEvent", "a user who was banned from a channel.", {
  types: ["member.banned"],
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    until: timestamp.optional().meta({
      description: "Until when, in milliseconds since the Unix epoch, UTC. Absent: without end.",
    }),
  },
});

export const messageEvent = defineEvent("MessageEvent", "an event of a message.", {
  types: ["message.created", "message.updated", "message.deleted", "message.pinned", "message.unpinned"],
  about: {
    ...inChannel,
    user_id: z.string().optional().meta({ description: "The sender. Absent for a system message." }),
  },
  data: ofMessage,
});

export const reactionEvent = defineEvent("ReactionEvent", "a reaction to a message.", {
  types: ["reaction.added", "reaction.removed"],
  about: { ...inChannel, ...byUser },
  data: {
    message_id: ofMessage.message_id,
    reaction: z
      .string()
      .optional()
      .meta({
        description: "The reaction. Absent when the message no longer exists, or the user was erased.",
        examples: ["👍"],
      }),
    user_id: z.string().meta({ description: "The user who reacts.", examples: ["kim_01"] }),
  },
});

export const importEvent = defineEvent("ImportEvent", "an import of messages.", {
  types: ["messages.imported"],
  about: inChannel,
  data: { ...ofChannel, imported: z.int().meta({ description: "The number of messages." }) },
});

export const reportEvent = defineEvent("ReportEvent", "a report for moderators.", {
  types: ["report.created", "report.resolved"],
  about: inChannel,
  data: {
    report_id: z.string().meta({ description: "The report.", examples: ["rep_1"] }),
    report: report.optional().meta({ description: stateOf("report") }),
  },
});

export const webhookEvent = defineEvent("WebhookEvent", "an event of a webhook.", {
  types: ["webhook.disabled"],
  about: {},
  data: { webhook_id: z.string().meta({ description: "The webhook." }) },
});

/** A change as a client gets it. */
export type ChatEvent = z.infer<typeof event>;

export const event = z
  .discriminatedUnion("type", [
    userEvent,
    channelEvent,
    memberEvent,
    readEvent,
    muteEvent,
    banEvent,
    messageEvent,
    reactionEvent,
    importEvent,
    reportEvent,
    webhookEvent,
  ])
  .meta({ id: "ChatEvent", description: "A change. A newer server may send further types." });
