import * as z from "zod";
import { timestamp } from "../rules/fields";
import { presence } from "./presence";
import { signalData } from "./signal";

/** The types of events that are not in the feed: streams that are open with `live=true` get them. */
export const liveEventTypes = ["message.appended", "signal", "presence"] as const;
export type LiveEventType = (typeof liveEventTypes)[number];

export const isLiveEventType = (text: string): text is LiveEventType =>
  (liveEventTypes as readonly string[]).includes(text);

const inChannel = { channel_id: z.string().meta({ description: "The channel.", examples: ["room_1"] }) };

const appendedEvent = z
  .object({
    type: z.literal("message.appended").meta({ description: "A message has more text." }),
    ...inChannel,
    data: z
      .object({
        message_id: z.string().meta({ description: "The message.", examples: ["1700000000000-1042"] }),
        index: z.int().meta({ description: "The index of the first append in `contents`.", examples: [12] }),
        contents: z.array(z.string()).meta({ description: "The text of each append, in their order." }),
      })
      .meta({ id: "AppendedData", description: "What was appended to a message." }),
  })
  .meta({
    id: "AppendedEvent",
    description:
      "What was appended to a message. A reader of the message takes what is at or after its `append_count`, and reads the message again if `index` is higher.",
  });

const signalEvent = z
  .object({
    type: z.literal("signal").meta({ description: "A signal." }),
    ...inChannel,
    user_id: z.string().optional().meta({ description: "The sender. Absent: the application." }),
    created_at: timestamp,
    data: z
      .object({
        type: z.string().meta({ description: "What the signal says.", examples: ["typing"] }),
        data: signalData.optional(),
      })
      .meta({ id: "SignalData", description: "A signal." }),
  })
  .meta({ id: "SignalEvent", description: "A signal. It is stored nowhere." });

const presenceEvent = z
  .object({
    type: z.literal("presence").meta({ description: "A user has come online or gone offline." }),
    data: presence.meta({ description: "The user." }),
  })
  .meta({
    id: "PresenceEvent",
    description: "A user has come online or gone offline. Streams with `presence_of` get it.",
  });

/** What only streams that are open with `live=true` get. */
export const liveEvent = z
  .discriminatedUnion("type", [appendedEvent, signalEvent, presenceEvent])
  .meta({ id: "LiveEvent", description: "An event that is not in the feed. It has no id, and may be lost." });
export type LiveEvent = z.infer<typeof liveEvent>;
