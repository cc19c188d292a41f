import * as z from "zod";
import { endTime, timestamp } from "../rules/fields";
import { channel } from "./channel";
import { message } from "./message";
import { preferences } from "./preferences";
import { report } from "./report";
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

/** Who sees an event besides the application, and whether it begins or ends a role of its user in its channel. */
export interface EventRule {
  /**
   * - `members`: who is in its channel.
   * - `self`: the user of the event, in a channel while it is in it.
   * - `keys`: nobody.
   */
  readonly seenBy: "members" | "self" | "keys";
  readonly begins?: "member" | "manager";
  readonly ends?: "member" | "manager";
}

interface EventPlan<
  Types extends Readonly<Record<string, EventRule>>,
  About extends z.ZodRawShape,
  Data extends z.ZodRawShape,
> {
  readonly types: Types;
  readonly about: About;
  readonly data: Data;
}

/** An event of one of several types that have the same fields. */
function defineEvent<
  const Types extends Readonly<Record<string, EventRule>>,
  About extends z.ZodRawShape,
  Data extends z.ZodRawShape,
>(id: string, description: string, { types, about, data }: EventPlan<Types, About, Data>) {
  // An object has only names that are texts.
  const names = Object.keys(types) as (keyof Types & string)[];
  const schema = z
    .object({
      event_id: z.string().meta({ description: "The id. It is unique.", examples: ["evt_1700000000000_7"] }),
      type: z.literal(names).meta({ description: "What happened." }),
      created_at: timestamp,
      ...about,
      data: z
        .object(data)
        .meta({ id: `${id}Data`, description: `The data of ${description}` })
        .meta({ description: "What the event is about, as it is now." }),
    })
    .meta({ id, description: `${description.charAt(0).toUpperCase()}${description.slice(1)}` });
  return { schema, types };
}

const toMembers = { seenBy: "members" } as const;
const toSelf = { seenBy: "self" } as const;
const toKeys = { seenBy: "keys" } as const;

const userEvent = defineEvent("UserEvent", "an event of a user.", {
  types: { "user.created": toSelf, "user.updated": toSelf, "user.deleted": toSelf },
  about: byUser,
  data: ofUser,
});

const channelEvent = defineEvent("ChannelEvent", "an event of a channel.", {
  types: { "channel.created": toMembers, "channel.updated": toMembers, "channel.deleted": toMembers },
  about: inChannel,
  data: ofChannel,
});

const memberEvent = defineEvent("MemberEvent", "an event of a participant or a manager.", {
  types: {
    "member.joined": { seenBy: "members", begins: "member" },
    "member.left": { seenBy: "members", ends: "member" },
    "member.unmuted": toSelf,
    "member.unbanned": toKeys,
    "manager.added": { seenBy: "members", begins: "manager" },
    "manager.removed": { seenBy: "members", ends: "manager" },
  },
  about: { ...inChannel, ...byUser },
  data: ofUser,
});

const readEvent = defineEvent("ReadEvent", "a read mark that moved.", {
  types: { "member.read": toMembers },
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    read_message_id: z.string().meta({ description: "The newest message that is marked as read." }),
  },
});

const muteEvent = defineEvent("MuteEvent", "a participant who was muted.", {
  types: { "member.muted": toSelf },
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    muted_until: endTime.optional().meta({
      description:
        "Until when, in milliseconds since the Unix epoch, UTC. 0: without end. Absent after the user was erased.",
    }),
  },
});

const preferencesEvent = defineEvent("PreferencesEvent", "preferences of a participant that changed.", {
  types: { "member.preferences": toSelf },
  about: { ...inChannel, ...byUser },
  data: {
    channel_id: ofChannel.channel_id,
    user_id: ofUser.user_id,
    preferences: preferences
      .optional()
      .meta({ description: "The preferences as they are now. Absent when the user is no participant." }),
  },
});

const blockEvent = defineEvent("BlockEvent", "a block of a user.", {
  types: { "block.added": toSelf, "block.removed": toSelf },
  about: byUser,
  data: {
    user_id: z.string().meta({ description: "The user who blocks.", examples: ["kim_01"] }),
    blocked_user_id: z
      .string()
      .optional()
      .meta({
        description: "The user who is blocked. Absent after one of the two was erased.",
        examples: ["park_03"],
      }),
  },
});

const banEvent = defineEvent("BanEvent", "a user who was banned from a channel.", {
  types: { "member.banned": toKeys },
  about: { ...inChannel, ...byUser },
  data: {
    ...ofUser,
    until: timestamp.optional().meta({
      description: "Until when, in milliseconds since the Unix epoch, UTC. Absent: without end.",
    }),
  },
});

const messageEvent = defineEvent("MessageEvent", "an event of a message.", {
  types: {
    "message.created": toMembers,
    "message.updated": toMembers,
    "message.deleted": toMembers,
    "message.pinned": toMembers,
    "message.unpinned": toMembers,
  },
  about: {
    ...inChannel,
    user_id: z.string().optional().meta({ description: "The sender. Absent for a system message." }),
  },
  data: ofMessage,
});

const reactionEvent = defineEvent("ReactionEvent", "a reaction to a message.", {
  types: { "reaction.added": toMembers, "reaction.removed": toMembers },
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

const importEvent = defineEvent("ImportEvent", "an import of messages.", {
  types: { "messages.imported": toMembers },
  about: inChannel,
  data: { ...ofChannel, imported: z.int().meta({ description: "The number of messages." }) },
});

const reportEvent = defineEvent("ReportEvent", "a report for moderators.", {
  types: { "report.created": toKeys, "report.resolved": toKeys },
  about: inChannel,
  data: {
    report_id: z.string().meta({ description: "The report.", examples: ["rep_1"] }),
    report: report.optional().meta({ description: stateOf("report") }),
  },
});

const webhookEvent = defineEvent("WebhookEvent", "an event of a webhook.", {
  types: { "webhook.disabled": toKeys },
  about: {},
  data: { webhook_id: z.string().meta({ description: "The webhook." }) },
});

const definitions = [
  userEvent,
  channelEvent,
  memberEvent,
  readEvent,
  muteEvent,
  preferencesEvent,
  blockEvent,
  banEvent,
  messageEvent,
  reactionEvent,
  importEvent,
  reportEvent,
  webhookEvent,
] as const;

type SchemasOf<Definitions extends readonly { readonly schema: unknown }[]> = {
  readonly [Index in keyof Definitions]: Definitions[Index]["schema"];
};

export const event = z
  // `map` loses which schema is where.
  .discriminatedUnion(
    "type",
    definitions.map(({ schema }) => schema) as unknown as SchemasOf<typeof definitions>,
  )
  .meta({ id: "ChatEvent", description: "A change. A newer server may send further types." });

/** A change as a client gets it. */
export type ChatEvent = z.infer<typeof event>;

export type EventType = ChatEvent["type"];

/** Every type of an event with its rule. The list may grow: a client ignores what it does not know. */
export const eventRules: Readonly<Record<EventType, EventRule>> = Object.assign(
  {},
  ...definitions.map(({ types }) => types),
);

/** The types of events. */
export const eventTypes = Object.keys(eventRules) as EventType[];
