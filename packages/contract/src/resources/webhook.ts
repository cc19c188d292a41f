import * as z from "zod";
import { attempt as attemptExample, webhook as webhookExample, webhookSecret } from "../examples/data";
import { assignedId, nextCursor, timestamp } from "../rules/fields";
import { limits } from "../rules/limits";
import { text } from "../rules/text";
import { eventTypes } from "./event";

const fields = {
  webhook_id: z
    .string()
    .meta({ description: "The id, assigned by the service.", examples: [webhookExample.webhook_id] }),
  url: z.string().meta({ description: "The receiver of the events.", examples: [webhookExample.url] }),
  types: z
    .array(z.string())
    .optional()
    .meta({ description: "The types of events that it gets. Absent: every type." }),
  description: z.string().optional().meta({ description: "What it is for. Absent when it has none." }),
  enabled: z.boolean().meta({
    description: "Whether events are delivered. The service disables a webhook that fails permanently.",
  }),
};
const times = { created_at: timestamp, updated_at: timestamp };

export const webhook = z
  .object({ ...fields, ...times })
  .meta({ id: "Webhook", description: "A URL that gets the events of the service." });

export const webhookWithSecret = z
  .object({
    ...fields,
    secret: z.string().meta({
      description: "The secret that signs the deliveries. No other operation returns it.",
      format: "password",
      examples: [webhookSecret],
    }),
    ...times,
  })
  .meta({ id: "WebhookWithSecret", description: "A webhook with its secret." });

const outcome = {
  status: z
    .int()
    .optional()
    .meta({ description: "The status of the response. Absent when there was no response." }),
  duration_ms: z.int().meta({ description: "How long the attempt took, in milliseconds." }),
  error: z.string().optional().meta({ description: "Why there was no response. Absent when there was one." }),
};

export const pingResult = z
  .object(outcome)
  .meta({ id: "PingResult", description: "How the receiver responded to a ping." });

const deliveryAttempt = z
  .object({
    event_id: z.string().meta({
      description: "The id of the event. That of a ping begins with `ping_`.",
      examples: [attemptExample.event_id],
    }),
    after: z
      .string()
      .optional()
      .meta({
        description:
          "A cursor before the event, for `replay`. Absent for a ping, and when an earlier version made the attempt.",
        examples: [attemptExample.after],
      }),
    attempt: z.int().meta({ description: "1 for the first attempt to deliver the event, then counted up." }),
    ...outcome,
    created_at: timestamp.meta({ description: "When the attempt ended." }),
  })
  .meta({ id: "DeliveryAttempt", description: "An attempt to deliver an event." });

export const attemptPage = z
  .object({
    attempts: z.array(deliveryAttempt).meta({ description: "The attempts, newest first." }),
    next: nextCursor,
  })
  .meta({ id: "AttemptPage", description: "A page of attempts, newest first." });

export const webhookId = assignedId("The id of a webhook.", webhookExample.webhook_id);

export const webhookInput = {
  url: text(limits.webhookUrl)
    .refine(isReceiver, "Must be a URL with https:, without user name, password and fragment.")
    .meta({
      description:
        "The receiver: an `https:` URL of at most 2,048 characters, outside the server's own network.",
      examples: [webhookExample.url],
    }),
  types: z
    .array(z.enum(eventTypes, { error: "Must be a type of event." }))
    .max(limits.webhookTypes, `Must have at most ${limits.webhookTypes} types.`)
    .meta({ description: "The types of events to deliver. An empty array means every type." }),
  description: text(limits.webhookDescription).meta({
    description: "What it is for, at most 200 characters. The empty string means none.",
  }),
};

/** Whether the server may accept `http:`, and which addresses, depends on its settings. */
function isReceiver(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}
