import * as z from "zod";
import { masterBodyErrors, masterErrors, problems } from "../../errors/errors";
import { attempt as attemptExample, feedCursor, webhook as webhookExample } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { attemptPage, pingResult, webhookId } from "../../resources/webhook";
import { c, nothing } from "../../router";
import { cursor, pageSize } from "../../rules/fields";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";

const pathParams = z.object({ webhook_id: webhookId });

/** The operations on what a webhook delivers. */
export const webhookDeliveries = c.router({
  ping: {
    method: "POST",
    path: "/webhooks/:webhook_id/ping",
    summary: "Send a test event",
    description:
      "Sends one event of type `webhook.ping`, also to a disabled webhook, and returns how the receiver responded. Takes up to 15 seconds.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: pingResult, ...problems([...masterBodyErrors, "webhook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: { responses: example("The receiver responded", { status: 204, duration_ms: 48 }) },
    }),
  },
  replay: {
    method: "POST",
    path: "/webhooks/:webhook_id/replay",
    summary: "Deliver events again",
    description:
      "Delivers the events after a cursor of the feed again, including those that were delivered or abandoned. A disabled webhook gets them when it is enabled.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        after: z.string("Must be a cursor.").meta({
          description:
            "A cursor of the feed: `next` of a list of events, the cursor of an event, or `after` of an attempt.",
          examples: [feedCursor],
        }),
      })
      .meta({ id: "Replay", description: "The events to deliver again." }),
    responses: {
      200: c.noBody(),
      ...problems([...masterBodyErrors, "invalid_cursor", "webhook_not_found", "events_expired"]),
    },
    metadata: metadata({
      sdk: {
        example: `const { items } = await chat.webhooks.attempts("${webhookExample.webhook_id}").firstPage();
const failed = items.find(({ status }) => status === undefined || status >= 300);
if (failed?.after) await chat.webhooks.replay("${webhookExample.webhook_id}", failed.after);`,
      },
      access: "master_key",
      user: "no",
      examples: { requests: example("Events after a cursor", { after: feedCursor }) },
    }),
  },
  attempts: {
    method: "GET",
    path: "/webhooks/:webhook_id/attempts",
    summary: "List the delivery attempts of a webhook",
    description: "Attempts, newest first, successful ones included. They are kept as long as events.",
    pathParams,
    query: z.strictObject({ limit: pageSize(limits.attemptPage).optional(), next: cursor.optional() }),
    responses: {
      200: attemptPage,
      ...problems([...masterErrors, "invalid_cursor", "webhook_not_found"]),
    },
    metadata: metadata({
      sdk: { query: "AttemptListOptions" },
      access: "master_key",
      user: "no",
      examples: {
        query: { limit: "30" },
        responses: example("One attempt", { attempts: [attemptExample] }),
      },
    }),
  },
});
