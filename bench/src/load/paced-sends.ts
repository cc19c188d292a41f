import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pick } from "../operations/operation";
import { send } from "../operations/writes";
import { channelIdAt, memberOf, membersPerChannel } from "../servers/dataset";
import type { Target } from "../servers/target";

/** When the response to each message arrived, and how long it took, by the id of the message. */
export type Responses = ReadonlyMap<string, Response>;

interface Response {
  readonly at: number;
  readonly tookMs: number;
}

/**
 * Sends messages at a rate, whatever their responses take, over all channels. Returns those that were stored: a machine
 * that does other work may not keep up with the rate.
 */
export async function sendAtRate(target: Target, perSecond: number, seconds: number): Promise<Responses> {
  const responses = new Map<string, Response>();
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  while (running.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) / 1_000) * perSecond);
    while (running.length < due) running.push(sendOne(target, running.length, responses));
    await sleep(1);
  }
  await Promise.all(running);
  return responses;
}

async function sendOne(
  { server, headers, settings }: Target,
  n: number,
  responses: Map<string, Response>,
): Promise<void> {
  const channel = pick(n, settings.sizes.channels);
  const sender = memberOf(channel, n % membersPerChannel, settings.sizes);
  const { method, path, body } = send(channelIdAt(channel), sender, n);
  const startedAt = performance.now();
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, "content-type": "application/json", "idempotency-key": randomUUID() },
    body: JSON.stringify(body),
  });
  const at = performance.now();
  const text = await response.text();
  const [, messageId] = /"message_id":"([^"]+)"/.exec(text) ?? [];
  if (response.status === 201 && messageId !== undefined)
    responses.set(messageId, { at, tookMs: at - startedAt });
}
