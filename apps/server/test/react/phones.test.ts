import { setTimeout as wait } from "node:timers/promises";
import type { Fetch } from "@madang/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { Gate } from "../support/gate";
import { admin, createRoom, openConversation, startSharedServer, textsOf } from "../support/react";

startSharedServer();

/** The connection of a phone: a response is there once it is complete, and has no body. */
class PhoneGate extends Gate {
  override readonly fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    this.sent.push(`${init.method} ${pathname}${search}`);
    const response = await fetch(url, init as RequestInit);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text: async () => text };
  };
}

const without: Record<string, () => void> = {
  sessionStorage: () => vi.stubGlobal("sessionStorage", undefined),
  BroadcastChannel: () => vi.stubGlobal("BroadcastChannel", undefined),
  "navigator.locks": () => vi.stubGlobal("navigator", {}),
  structuredClone: () => vi.stubGlobal("structuredClone", undefined),
};

const phones: [name: string, missing: string[]][] = [
  ...Object.keys(without).map((name): [string, string[]] => [name, [name]]),
  ["any of these", Object.keys(without)],
];

test.each(phones)("a page on a phone without %s has everything that happens, once", async (_, missing) => {
  for (const name of missing) without[name]?.();
  onTestFinished(() => void vi.unstubAllGlobals());
  const room = await createRoom();
  const gate = new PhoneGate();
  const { store, conversation } = await openConversation(room, { gate });
  onTestFinished(store.inbox.connect());
  await expect.poll(() => store.connection.get()).toEqual({ state: "connected", transport: "poll" });
  const texts = Array.from({ length: 10 }, (_, index) => [`Kim ${index}`, `Park ${index}`]).flat();
  for (const text of texts)
    if (text.startsWith("Park")) await room.send(text);
    else {
      conversation.send({ content: text });
      await expect.poll(() => textsOf(conversation)).toContain(text);
    }
  await expect.poll(() => textsOf(conversation)).toEqual(texts);
  await expect.poll(() => store.inbox.state.get().unreadCount).toBe(10);
  conversation.markRead();
  await expect.poll(() => store.inbox.state.get().unreadCount).toBe(0);
  expect(gate.count(/stream/)).toBe(0);
});

test("a message that is being written grows on a phone, and is read once a second at most", async () => {
  const room = await createRoom();
  const gate = new PhoneGate();
  const { store, conversation } = await openConversation(room, { gate });
  await expect.poll(() => store.connection.get().state).toBe("connected");
  const startedAt = performance.now();
  const writer = await admin.messages.stream(room.channelId, { user_id: room.park, type: "text" });
  const seen = new Set<string>();
  onTestFinished(conversation.state.subscribe(() => void seen.add(textsOf(conversation)[0] ?? "")));
  for (let index = 0; index < 12; index++) {
    await writer.append(`${index} `);
    await wait(300);
  }
  await writer.finish();
  const text = Array.from({ length: 12 }, (_, index) => `${index} `).join("");
  await expect.poll(() => textsOf(conversation)).toEqual([text]);
  expect(seen.size).toBeGreaterThan(2);
  const reads = () => gate.count(/message_ids=/);
  expect(reads()).toBeLessThan((performance.now() - startedAt) / 1_000 + 2);
  const before = reads();
  await wait(2_500);
  // One may be under way. A page that goes on reading would have read twice.
  expect(reads()).toBeLessThanOrEqual(before + 1);
});
