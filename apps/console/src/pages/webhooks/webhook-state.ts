import type { DeliveryAttempt, Webhook } from "@madang/client";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";

export const hasFailed = ({ status }: DeliveryAttempt) =>
  status === undefined || status < 200 || status > 299;

export interface WebhookState {
  readonly webhook: Webhook;
  readonly lastAttempt: DeliveryAttempt | undefined;
  readonly state: "enabled" | "disabled" | "failing";
}

/** Deliveries follow what the reader did within seconds. */
export async function refreshSoon(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  for (const afterMs of [1_500, 4_000])
    setTimeout(() => void queryClient.invalidateQueries({ queryKey: ["webhooks"] }), afterMs);
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
