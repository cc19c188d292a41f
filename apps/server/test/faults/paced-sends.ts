import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { call } from "../support/call";

export interface PacedSends {
  readonly url: string;
  readonly user: string;
  readonly channels: readonly string[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** The times of a message that was stored. */
export interface Sent {
  readonly startedAt: number;
  readonly respondedAt: number;
}

/**
 * Sends messages at a rate, whatever their responses take. Returns those that were stored, by their content. The others got 503: a
 * machine that does other work may not keep up with the rate.
 */
export async function sendAtRate({
  url,
  user,
  channels,
  perSecond,
  seconds,
}: PacedSends): Promise<Map<string, Sent>> {
  const stored = new Map<string, Sent>();
  const wrong: unknown[] = [];
  const send = async (index: number) => {
    const content = String(index);
    const startedAt = performance.now();
    const path = `/v1/group/channels/${channels[index % channels.length]}/messages`;
    const body = { user_id: user, type: "text", content };
    const reply = await call(url, "POST", path, { body }).catch(String);
    if (typeof reply !== "string" && reply.status === 201)
      stored.set(content, { startedAt, respondedAt: performance.now() });
    else if (typeof reply === "string" || reply.status !== 503) wrong.push(reply);
  };
  const total = perSecond * seconds;
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  while (running.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * perSecond));
    while (running.length < due) running.push(send(running.length));
    await sleep(2);
  }
  await Promise.all(running);
  expect(wrong).toEqual([]);
  return stored;
}

/** The median and the p99, as text. */
export function formatTimes(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
