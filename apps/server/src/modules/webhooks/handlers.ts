import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import { invalidField } from "../../errors/service-error";
import { type NoFilters, openPageQuery, signPage } from "../../paging/page-query";
import { newest } from "../../paging/position";
import { openFeedCursor } from "../events/cursor";
import type { EventDeps } from "../events/handlers";
import { listAttempts } from "./attempts-store";
import type { Receivers } from "./delivery/receivers";
import { pingWebhook } from "./ping";
import { presentAttempt, presentOutcome, presentWebhook } from "./present";
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  replayAfter,
  requireWebhook,
  rotateSecret,
  type SealedWebhook,
  updateWebhook,
} from "./store";

export interface WebhookDeps extends EventDeps {
  /** Sends webhooks to receivers outside the server's own network. */
  readonly receivers: Receivers;
}

const rotationMs = limits.webhookRotationHours * 3_600_000;
const pingTimeoutMs = 30_000;

export const webhookHandlers = (deps: WebhookDeps) => {
  const { now, cursors, numbering, keyMaker, receivers, wake } = deps;
  const withSecret = async (webhook: SealedWebhook) => ({
    ...presentWebhook(webhook),
    secret: await keyMaker.open(Buffer.from(webhook.sealed, "base64")),
  });
  const requirePermitted = async (url: string) => {
    const urlError = await receivers.findUrlError(url);
    if (urlError !== undefined) throw invalidField("body", "url", urlError);
  };
  return defineHandlers(contract.webhooks, {
    create: async ({ body, writer }) => {
      await requirePermitted(body.url);
      // The webhook begins after the changes that were committed before the request.
      await numbering.catchUp();
      const webhook = { url: body.url, types: [...new Set(body.types)], description: body.description };
      const created = await createWebhook(writer, keyMaker, webhook, now());
      wake("deliveries");
      return { status: 201, body: await withSecret(created) };
    },
    list: async ({ db }) => ({ status: 200, body: (await listWebhooks(db, keyMaker)).map(presentWebhook) }),
    get: async ({ params, db }) => ({
      status: 200,
      body: presentWebhook(await requireWebhook(db, keyMaker, params.webhook_id)),
    }),
    update: async ({ params, body, writer }) => {
      if (body.url !== undefined) await requirePermitted(body.url);
      const change = { ...body, types: body.types && [...new Set(body.types)] };
      const updated = await updateWebhook(writer, keyMaker, params.webhook_id, change, now());
      wake("deliveries");
      return { status: 200, body: presentWebhook(updated) };
    },
    delete: async ({ params, writer }) => {
      await deleteWebhook(writer, keyMaker, params.webhook_id);
      return { status: 200, body: undefined };
    },
    rotate: async ({ params, writer }) => {
      const time = now();
      const times = { now: time, previousUntil: time + rotationMs };
      const rotated = await rotateSecret(writer, keyMaker, params.webhook_id, times);
      return { status: 200, body: await withSecret(rotated) };
    },
    ping: async ({ params, writer, res }) => {
      // The receiver may take longer than a response without progress may.
      res.setTimeout(pingTimeoutMs);
      const outcome = await pingWebhook(deps, writer, params.webhook_id);
      return { status: 200, body: presentOutcome(outcome) };
    },
    replay: async ({ params, body, writer }) => {
      const { position } = await openFeedCursor(deps, body.after);
      await replayAfter(writer, keyMaker, params.webhook_id, position);
      wake("deliveries");
      return { status: 200, body: undefined };
    },
    attempts: async ({ params, query, db }) => {
      const scope = `webhooks.attempts ${params.webhook_id}`;
      const pageQuery = openPageQuery<NoFilters>(cursors, scope, query, limits.attemptPage);
      const { limit, after = newest } = pageQuery;
      const { pk } = await requireWebhook(db, keyMaker, params.webhook_id);
      const found = await listAttempts(db, pk, after, limit + 1);
      const { items, ...next } = signPage(cursors, scope, pageQuery, found, (attempt) => attempt);
      const attempts = items.map((item) => presentAttempt(cursors, item));
      return { status: 200, body: { attempts, ...next } };
    },
  });
};
