import type { DeliveryAttempt, Webhook } from "@madang/client";
import { chat } from "../../api/chat";

export const hasFailed = ({ status }: DeliveryAttempt) =>
  status === undefined || status < 200 || status > 299;

export interface WebhookState {
  readonly webhook: Webhook;
  readonly lastAttempt: DeliveryAttempt | undefined;
  readonly state: "enabled" | "disabled" | "failing";
}

/** The webhooks, at most ten, each with its newest attempt. */
export async function fetchWebhooks(): Promise<WebhookState[]> {
  return Promise.all((await chat.webhooks.list()).map(withState));
}

async function withState(webhook: Webhook): Promise<WebhookState> {
  const { items } = await chat.webhooks.attempts(webhook.webhook_id, { pageSize: 1 }).firstPage();
  const [lastAttempt] = items;
  const isFailing = lastAttempt !== undefined && hasFailed(lastAttempt);
  return { webhook, lastAttempt, state: !webhook.enabled ? "disabled" : isFailing ? "failing" : "enabled" };
}
