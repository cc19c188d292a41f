import { contract } from "@madang/contract";
import { expect, test } from "vitest";
import { presentChannel, presentChannelTo } from "./present";
import type { ChannelRow } from "./store";

const row: ChannelRow = {
  channelId: "room_1",
  name: "Lunch",
  profileUrl: "https://example.com/lunch.png",
  meta: {},
  isFrozen: false,
  totalMessageCount: 0,
  totalFileCount: 0,
  retentionDays: 365,
  isHeld: true,
  slowModeSeconds: 30,
  createdAt: 1,
  updatedAt: 1,
};
const fields = Object.keys(contract.channels.get.responses[200].shape);
/** What the contract says users do not see. */
const hidden = ["retention"];

test("a channel has every field of the contract", () => {
  expect(new Set(Object.keys(presentChannel(row)))).toEqual(new Set(fields));
});

test("a user sees every field of a channel that is not hidden", () => {
  const seen = Object.keys(presentChannelTo({ userId: "kim_01", publicMeta: new Set() }, row));
  expect(new Set(seen)).toEqual(new Set(fields.filter((field) => !hidden.includes(field))));
});
