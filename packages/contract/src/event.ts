import * as z from "zod";
import { channel } from "./channel";
import { timestamp } from "./fields";
import { message } from "./message";
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
  types: ["member.joined", "member.left", "manager.added", "manager.removed"],
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

export const messageEvent = defineEvent("MessageEvent", "an event of a message.", {
  types: ["message.created", "message.updated", "message.deleted"],
  about: { ...inChannel, ...byUser },
  data: ofMessage,
});

export const importEvent = defineEvent("ImportEvent", "an import of messages.", {
  types: ["messages.imported"],
  about: inChannel,
  data: { ...ofChannel, imported: z.int().meta({ description: "The number of messages." }) },
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
    messageEvent,
    importEvent,
    webhookEvent,
  ])
  .meta({ id: "ChatEvent", description: "A change. A newer server may send further types." });
