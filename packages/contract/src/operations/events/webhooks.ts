import * as z from "zod";
import { masterBodyErrors, masterErrors, problems } from "../../errors/errors";
import { webhook as webhookExample, webhookSecret } from "../../examples/data";
import { example, metadata } from "../../operation-metadata";
import { webhook, webhookId, webhookInput, webhookWithSecret } from "../../resources/webhook";
import { c, nothing } from "../../router";
import { changeHeaders } from "../../rules/idempotency";
import { limits } from "../../rules/limits";
import { webhookDeliveries } from "./webhook-deliveries";

const pathParams = z.object({ webhook_id: webhookId });

const path = "/webhooks";

export const webhooks = c.router({
  create: {
    method: "POST",
    path,
    summary: "Create a webhook",
    description: `Its receiver gets every event from now on. At most ${limits.webhooks} webhooks can exist. An address in the server's own network is rejected.`,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        url: webhookInput.url,
        types: webhookInput.types.optional(),
        description: webhookInput.description.optional(),
      })
      .meta({ id: "NewWebhook", description: "A webhook to create." }),
    responses: { 201: webhookWithSecret, ...problems([...masterBodyErrors, "webhook_limit_exceeded"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        requests: example("A receiver of messages", {
          url: webhookExample.url,
          types: webhookExample.types,
          description: webhookExample.description,
        }),
        responses: example("The webhook with its secret", { ...webhookExample, secret: webhookSecret }),
      },
    }),
  },
  list: {
    method: "GET",
    path,
    summary: "List the webhooks",
    description: "All webhooks by creation time, oldest first, without their secrets.",
    query: nothing,
    responses: { 200: z.array(webhook), ...problems(masterErrors) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: { responses: example("One webhook", [webhookExample]) },
    }),
  },
  get: {
    method: "GET",
    path: `${path}/:webhook_id`,
    summary: "Get a webhook",
    description: "The webhook, without its secret.",
    pathParams,
    query: nothing,
    responses: { 200: webhook, ...problems([...masterErrors, "webhook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: { responses: example("The webhook", webhookExample) },
    }),
  },
  update: {
    method: "PUT",
    path: `${path}/:webhook_id`,
    summary: "Update a webhook",
    description:
      "Changes the fields that are sent. A disabled webhook gets no events; when it is enabled again, it gets those that it missed, as far as they are retained. After a new `url` or `enabled`, waiting deliveries are attempted at once.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: z
      .strictObject({
        url: webhookInput.url.optional(),
        types: webhookInput.types.optional(),
        description: webhookInput.description.optional(),
        enabled: z
          .boolean("Must be true or false.")
          .meta({ description: "Whether events are delivered." })
          .optional(),
      })
      .refine(
        (change) => Object.values(change).some((value) => value !== undefined),
        "Must have at least one field.",
      )
      .meta({ id: "WebhookChange", description: "The new values of a webhook." }),
    responses: { 200: webhook, ...problems([...masterBodyErrors, "webhook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        requests: example("A disabled webhook is enabled again", { enabled: true }),
        responses: example("The updated webhook", webhookExample),
      },
    }),
  },
  delete: {
    method: "DELETE",
    path: `${path}/:webhook_id`,
    summary: "Delete a webhook",
    description: "Deliveries that are under way may still arrive.",
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: c.noBody(), ...problems([...masterBodyErrors, "webhook_not_found"]) },
    metadata: metadata({ access: "master_key", user: "no" }),
  },
  rotate: {
    method: "POST",
    path: `${path}/:webhook_id/rotate`,
    summary: "Replace the secret of a webhook",
    description: `For ${limits.webhookRotationHours} hours, deliveries carry a signature with the new secret and one with the old secret.`,
    pathParams,
    headers: changeHeaders,
    query: nothing,
    body: nothing.optional(),
    responses: { 200: webhookWithSecret, ...problems([...masterBodyErrors, "webhook_not_found"]) },
    metadata: metadata({
      access: "master_key",
      user: "no",
      examples: {
        responses: example("The webhook with its new secret", { ...webhookExample, secret: webhookSecret }),
      },
    }),
  },
  ...webhookDeliveries,
});
