import type { ChatClient, Participant } from "@madang/client";
import { expect, test } from "vitest";
import type { Feed } from "../src/store/feed";
import { Members } from "../src/store/members";

const participant = (user_id: string): Participant => ({
  user_id,
  name: user_id,
  meta: {},
  created_at: 1,
  updated_at: 1,
  joined_at: 1,
});

test("a list that was read first and arrives last replaces no newer one", async () => {
  const respond: ((participants: Participant[]) => void)[] = [];
  const list = () => new Promise<Participant[]>((resolve) => void respond.push(resolve));
  const chat = { channels: { members: { list } } } as unknown as ChatClient;
  const members = new Members(chat, "room_1", { started: Promise.resolve() } as Feed);
  members.open();
  await expect.poll(() => respond.length).toBe(1);
  members.read();
  // The second one is sent now, or when the first one is there.
  respond[1]?.([participant("kim_01"), participant("park_03")]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  respond[0]?.([participant("kim_01")]);
  await expect.poll(() => respond.length, { timeout: 30_000 }).toBe(2);
  respond[1]?.([participant("kim_01"), participant("park_03")]);
  await expect.poll(() => members.list.get().map(({ user_id }) => user_id)).toEqual(["kim_01", "park_03"]);
});
