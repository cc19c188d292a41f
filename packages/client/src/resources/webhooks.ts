import type {
  DeliveryAttempt,
  NewWebhook,
  PingResult,
  Webhook,
  WebhookChange,
  WebhooksAttemptsQuery,
  WebhookWithSecret,
} from "../generated/types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions } from "../paging/page";
import type { Pager } from "../paging/pager";
import type { Api } from "../transport/call";

/** Where to begin, and the page size. */
export interface AttemptListOptions extends ListOptions, WebhooksAttemptsQuery {}

/** `chat.webhooks`, for the master key only. With a sub key each call throws `PermissionError`. */
export class Webhooks {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Creates a webhook: `url` gets every event from now on, or those of `types`. Keep the `secret`: it is not shown again.
   *
   * Throws `ConflictError` when 10 webhooks exist, `BadRequestError` when `url` is in the server's own network.
   *
   * @param webhook Its URL, and optionally the types of events and a description.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { secret } = await chat.webhooks.create({ url: "https://hooks.example.com/madang" });
   */
  create(webhook: NewWebhook, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.#api.call("webhooks.create", { body: webhook }, options);
  }

  /**
   * Lists the webhooks, oldest first, without their secrets.
   *
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const webhooks = await chat.webhooks.list();
   */
  list(options?: CallOptions): Promise<Webhook[]> {
    return this.#api.call("webhooks.list", {}, options);
  }

  /**
   * Gets a webhook, without its secret. Throws `NotFoundError` when it does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { enabled } = await chat.webhooks.get("wh_1");
   */
  get(webhookId: string, options?: CallOptions): Promise<Webhook> {
    return this.#api.call("webhooks.get", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Changes the given fields. An empty `types` means every type. Throws `NotFoundError` when the webhook does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param change The new values; absent ones stay.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.webhooks.update("wh_1", { enabled: true });
   */
  update(webhookId: string, change: WebhookChange, options?: CallOptions): Promise<Webhook> {
    return this.#api.call("webhooks.update", { path: { webhook_id: webhookId }, body: change }, options);
  }

  /**
   * Deletes a webhook. Throws `NotFoundError` when it does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example await chat.webhooks.delete("wh_1");
   */
  delete(webhookId: string, options?: CallOptions): Promise<void> {
    return this.#api.call("webhooks.delete", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Replaces the secret. For 24 hours deliveries are signed with both. Throws `NotFoundError` when the webhook does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { secret } = await chat.webhooks.rotate("wh_1");
   */
  rotate(webhookId: string, options?: CallOptions): Promise<WebhookWithSecret> {
    return this.#api.call("webhooks.rotate", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Sends a test event and returns how the receiver responded. Throws `NotFoundError` when the webhook does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example const { status, error } = await chat.webhooks.ping("wh_1");
   */
  ping(webhookId: string, options?: CallOptions): Promise<PingResult> {
    return this.#api.call("webhooks.ping", { path: { webhook_id: webhookId } }, options);
  }

  /**
   * Delivers the events after a cursor of the feed again.
   *
   * Throws `NotFoundError` when the webhook does not exist, `BadRequestError` for another cursor, `ApiError` with
   * `events_expired` when the events are not stored any more.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param after A cursor of the feed: `next` of a list of events, `cursor` of an event, or `after` of an attempt.
   * @param options Timeouts, retries, headers and signal of this call.
   * @example
   * const { items } = await chat.webhooks.attempts("wh_1").firstPage();
   * const failed = items.find(({ status }) => status === undefined || status >= 300);
   * if (failed?.after) await chat.webhooks.replay("wh_1", failed.after);
   */
  replay(webhookId: string, after: string, options?: CallOptions): Promise<void> {
    return this.#api.call("webhooks.replay", { path: { webhook_id: webhookId }, body: { after } }, options);
  }

  /**
   * Lists the attempts to deliver events, newest first.
   *
   * Throws `NotFoundError` when the webhook does not exist.
   *
   * @param webhookId The id of the webhook, as the service returned it.
   * @param page Where to begin, and the page size: 1 to 100, default 30.
   * @param options Timeouts, retries, headers and signal of each request.
   * @example for await (const { event_id, status, error } of chat.webhooks.attempts("wh_1")) console.log(event_id, status ?? error);
   */
  attempts(webhookId: string, page: AttemptListOptions = {}, options?: CallOptions): Pager<DeliveryAttempt> {
    return createPager(this.#api, "webhooks.attempts", page, options, {
      path: { webhook_id: webhookId },
      read: ({ attempts, next }) => ({ items: attempts, next }),
    });
  }
}
