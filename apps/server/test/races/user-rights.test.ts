import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../support/call";
import { chatWith } from "../support/chat";
import { createToken } from "../support/replay";
import { isLong, scale } from "../support/report";
import { startServer, startServerOn, type TestServer } from "../support/server";

/**
 * What a user begins after the response of its removal takes no effect, and what it reads then is nothing. So it is with what it writes
 * after a mute, a suspension or a freeze.
 */

const rounds = isLong ? 60 : 2;

let server: TestServer;
let other: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer();
  other = await startServerOn(server.databaseUrl);
  chat = chatWith(server);
  for (const user_id of ["kim_01", "lee_02"]) await chat.users.create({ user_id, name: "Kim" });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

let count = 0;

interface Room {
  readonly channelId: string;
  readonly own: string;
  readonly others: string;
  readonly token: string;
}

async function createRoom(asManager: boolean): Promise<Room> {
  const channelId = `room_${count++}`;
  await chat.channels.create({ channel_id: channelId, name: "Room", members: ["kim_01", "lee_02"] });
  if (asManager) {
    await chat.channels.managers.add(channelId, "kim_01");
    await chat.channels.members.leave(channelId, "kim_01");
  }
  const say = (user_id: string) => chat.messages.send(channelId, { user_id, type: "text", content: "Hi" });
  const [own, others] = [await say("kim_01"), await say("lee_02")];
  const token = await createToken(server.url, "kim_01");
  return { channelId, own: own.message_id, others: others.message_id, token };
}

type Action = readonly [method: string, path: (room: Room) => string, body?: object];

const ofWriter: Readonly<Record<string, Action>> = {
  "messages.update": ["PUT", ({ own }) => `/messages/${own}`, { content: "late" }],
  "messages.reactions.add": ["PUT", ({ others }) => `/messages/${others}/reactions/late/kim_01`],
};
const ofAuthor: Readonly<Record<string, Action>> = {
  "messages.delete": ["DELETE", ({ own }) => `/messages/${own}`],
};
const ofMember: Readonly<Record<string, Action>> = {
  ...ofWriter,
  ...ofAuthor,
  "messages.send": ["POST", () => "/messages", { type: "text", content: "late" }],
  "messages.reactions.remove": ["DELETE", ({ others }) => `/messages/${others}/reactions/early/kim_01`],
  "channels.members.markRead": ["PUT", () => "/members/kim_01/read"],
};
const ofManager: Readonly<Record<string, Action>> = {
  "messages.pin": ["PUT", ({ others }) => `/messages/${others}/pin`],
  "messages.delete": ["DELETE", ({ others }) => `/messages/${others}`],
  "channels.members.mute": ["PUT", () => "/members/lee_02/mute"],
  "channels.bans.add": ["PUT", () => "/bans/lee_02"],
};
const reads: Readonly<Record<string, Action>> = {
  "messages.list": ["GET", () => "/messages"],
  "messages.get": ["GET", ({ others }) => `/messages/${others}`],
  "channels.members.list": ["GET", () => "/members"],
  "messages.search": ["GET", () => "/messages/search?q=hi"],
};

interface Outcome {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly reply: Reply;
}

async function race([method, path, body]: Action, { remove, restore }: Removal, room: Room) {
  const outcomes: Outcome[] = [];
  let isRunning = true;
  const act = async (url: string) => {
    while (isRunning) {
      const startedAt = performance.now();
      const reply = await call(url, method, `/v1/group/channels/${room.channelId}${path(room)}`, {
        key: room.token,
        body,
      });
      outcomes.push({ startedAt, endedAt: performance.now(), reply });
    }
  };
  const acting = [act(server.url), act(server.url), act(other.url)];
  await new Promise((resolve) => setTimeout(resolve, 5 + Math.floor(20 * ((count * 7) % 10)) / 10));
  await remove(room);
  const removedAt = performance.now();
  const feedAfter = (await chat.events.list({ after: "latest" })).next;
  const isLate = ({ startedAt }: Outcome) => startedAt > removedAt;
  do await new Promise((resolve) => setTimeout(resolve, 40));
  while (!outcomes.some(isLate));
  isRunning = false;
  await Promise.all(acting);
  const { events } = await chat.events.list({ after: feedAfter, channel_id: room.channelId, pageSize: 500 });
  await restore?.();
  return { late: outcomes.filter(isLate), events };
}

interface Removal {
  readonly remove: (room: Room) => Promise<unknown>;
  /** How requests are rejected from its response on. */
  readonly code: string;
  readonly restore?: () => Promise<unknown>;
}

const isBanned: Removal = {
  remove: ({ channelId }) => chat.channels.bans.add(channelId, "kim_01"),
  code: "channel_not_found",
};
const removals: Readonly<Record<string, Removal>> = {
  leaves: {
    remove: ({ channelId }) => chat.channels.members.leave(channelId, "kim_01"),
    code: "channel_not_found",
  },
  "is banned": isBanned,
};
const dismissals: Readonly<Record<string, Removal>> = {
  "is removed as manager": {
    remove: ({ channelId }) => chat.channels.managers.remove(channelId, "kim_01"),
    code: "channel_not_found",
  },
  "is banned": isBanned,
};
const isFrozen: Removal = {
  remove: ({ channelId }) => chat.channels.freeze(channelId, true),
  code: "channel_frozen",
};
const silencings: Readonly<Record<string, Removal>> = {
  "is muted": {
    remove: ({ channelId }) => chat.channels.members.mute(channelId, "kim_01"),
    code: "member_muted",
  },
  "is suspended": {
    remove: () => chat.users.suspend("kim_01"),
    code: "user_suspended",
    restore: () => chat.users.unsuspend("kim_01"),
  },
  "is blocked in a one-to-one channel": {
    remove: () => chat.users.blocks.add("lee_02", "kim_01"),
    code: "user_blocked",
    restore: () => chat.users.blocks.remove("lee_02", "kim_01"),
  },
  "finds the channel frozen": isFrozen,
};

const casesOf = (
  actions: Readonly<Record<string, Action>>,
  ways: Readonly<Record<string, Removal>>,
  asManager = false,
) =>
  Object.entries(actions).flatMap(([name, action]) =>
    Object.entries(ways).map(([what, removal]) => ({ name, action, what, removal, asManager })),
  );
const cases = [
  ...casesOf({ ...ofMember, ...reads }, removals),
  ...casesOf({ ...ofManager, ...reads }, dismissals, true),
];
const casesOfSilenced = [
  ...casesOf(ofWriter, silencings),
  ...casesOf(ofAuthor, { "finds the channel frozen": isFrozen }),
];

/** Each action once, and in turns the ways to lose the right. */
const someCases = cases.filter((_, index) => index % 4 === 0 || index % 4 === 3);

test.each([...scale(someCases, cases), ...casesOfSilenced])(
  "$name takes no effect after a user $what",
  async ({ action, removal, asManager }) => {
    for (let round = 0; round < rounds; round++) {
      const room = await createRoom(asManager);
      const { late, events } = await race(action, removal, room);
      expect(late.length).toBeGreaterThan(0);
      expect([...new Set(late.map(({ reply }) => reply.body.code))]).toEqual([removal.code]);
      // Nor did any request that was sent before: what it changed is in the feed before the removal.
      expect(events.map(({ type }) => type)).toEqual([]);
    }
  },
  120_000,
);
