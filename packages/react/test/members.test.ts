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
  const responses: PromiseWithResolvers<Participant[]>[] = [];
  const list = () => {
    const response = Promise.withResolvers<Participant[]>();
    responses.push(response);
    return response.promise;
  };
  const chat = { channels: { members: { list } } } as unknown as ChatClient;
  const members = new Members(chat, "room_1", { started: Promise.resolve() } as Feed);
  const { signal } = new AbortController();
  members.read(signal);
  members.read(signal);
  await expect.poll(() => responses.length).toBeGreaterThan(0);
  // The second one is sent now, or when the first one is there.
  responses[1]?.resolve([participant("kim_01"), participant("park_03")]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  responses[0]?.resolve([participant("kim_01")]);
  await expect.poll(() => responses.length).toBe(2);
  responses[1]?.resolve([participant("kim_01"), participant("park_03")]);
  await expect.poll(() => members.list.get().map(({ user_id }) => user_id)).toEqual(["kim_01", "park_03"]);
});
