import { idCases } from "../cases/id-cases";
import { pageSizeCases } from "../cases/page-cases";
import { stranger } from "../cases/user-cases";
import { kim, lee, lunch, numberedUsers, presentChannel, presentMessage, presentUser } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { modifiedNext, next, truncatedNext } from "../placeholders";
import { invalid, problem } from "../problem";
import { type NewMessage, type World, worldTime } from "../world";

const hello: NewMessage = { channel_id: "room_1", user_id: "kim_01", content: "Hello" };
const world: World = {
  users: [kim, lee],
  channels: [{ ...lunch, members: ["kim_01"], managers: ["lee_02"] }],
  messages: [hello],
};

const event = (type: string, fields: object) => ({
  event_id: "evt_1",
  type,
  created_at: worldTime,
  ...fields,
});
const ofUser = (type: string, user: typeof kim) =>
  event(type, { user_id: user.user_id, data: { user_id: user.user_id, user: presentUser(user) } });
const inRoom = (type: string, user: typeof kim) => ({ ...ofUser(type, user), channel_id: "room_1" });
const created = event("channel.created", {
  channel_id: "room_1",
  data: { channel_id: "room_1", channel: { ...presentChannel(lunch), total_message_count: 1 } },
});
const sent = event("message.created", {
  channel_id: "room_1",
  user_id: "kim_01",
  data: { message_id: "1", message: presentMessage(hello, kim) },
});
const joined = inRoom("member.joined", kim);
const added = inRoom("manager.added", lee);
const everything = [ofUser("user.created", kim), ofUser("user.created", lee), created, joined, added, sent];
const respond = (...events: object[]) => ({ status: 200, body: { events, next } });

/** As other users see a user. */
const publicOf = (user: typeof kim) => {
  const { updated_at: _, ...shown } = presentUser(user);
  return { ...shown, meta: {} };
};

const firstPage: World = { ...world, page: { operation: "events.list", query: { limit: "5" } } };

const accepted = {
  "responds with the events in their order, each with the current state of what it is about": {
    given: world,
    response: respond(...everything),
  },
  "responds as a user with what concerns the user, and its channels since it is in them": {
    given: world,
    request: { as: "lee_02" },
    response: respond(
      ofUser("user.created", lee),
      { ...added, data: { user_id: "lee_02", user: publicOf(lee) } },
      { ...sent, data: { message_id: "1", message: { ...presentMessage(hello, kim), user: publicOf(kim) } } },
    ),
  },
  "rejects a channel in which the user is not": {
    given: { ...world, users: [kim, lee, stranger] },
    request: { query: { channel_id: "room_1" }, as: stranger.user_id },
    response: problem(404, "channel_not_found"),
  },
  "continues after a cursor": {
    given: firstPage,
    request: { query: { after: next } },
    response: respond(sent),
  },
  "continues with another limit": {
    given: firstPage,
    request: { query: { after: next, limit: "1" } },
    response: respond(sent),
  },
  "responds with a cursor when there are no events": {
    given: { ...world, page: { operation: "events.list" } },
    request: { query: { after: next } },
    response: respond(),
  },
  "begins at the end": {
    given: world,
    request: { query: { after: "latest" } },
    response: respond(),
  },
  "responds with some types": {
    given: world,
    request: { query: { types: "channel.created,message.created" } },
    response: respond(created, sent),
  },
  "responds with one channel": {
    given: { ...world, channels: [...(world.channels ?? []), { channel_id: "room_2", name: "Dinner" }] },
    request: { query: { channel_id: "room_1" } },
    response: respond(created, joined, added, sent),
  },
  "responds with nothing of a channel that never existed": {
    given: world,
    request: { query: { channel_id: "room_9" } },
    response: respond(),
  },
  "does not wait when there are events": {
    given: world,
    request: { query: { wait: "25" } },
    response: respond(...everything),
  },
  "waits and responds without events": {
    given: world,
    request: { query: { after: "latest", wait: "1" } },
    response: respond(),
  },
  "accepts limit 1": {
    given: world,
    request: { query: { limit: "1" } },
    response: respond(everything[0] ?? {}),
  },
  "accepts limit 500": {
    given: world,
    request: { query: { limit: "500" } },
    response: respond(...everything),
  },
  "accepts a client that is invisible": {
    given: world,
    request: { query: { presence: "invisible", types: "channel.created" } },
    response: respond(created),
  },
  "accepts wait 0": { given: world, request: { query: { wait: "0" } }, response: respond(...everything) },
  "omits what is deleted": {
    given: { users: [kim], channels: [lunch], deletedUsers: ["kim_01"], deletedChannels: ["room_1"] },
    response: respond(
      event("user.created", { user_id: "kim_01", data: { user_id: "kim_01" } }),
      event("channel.created", { channel_id: "room_1", data: { channel_id: "room_1" } }),
      event("user.deleted", { user_id: "kim_01", data: { user_id: "kim_01" } }),
      event("channel.deleted", { channel_id: "room_1", data: { channel_id: "room_1" } }),
    ),
  },
  "omits a message that is deleted": {
    given: { ...world, deletedMessages: [1] },
    request: { query: { types: "message.created,message.deleted" } },
    response: respond(
      { ...sent, data: { message_id: "1" } },
      { ...sent, type: "message.deleted", data: { message_id: "1" } },
    ),
  },
} satisfies Interactions;

const ofUsers: World = { users: numberedUsers(6), page: { operation: "users.list", query: { limit: "5" } } };
const badCursors: Readonly<Record<string, Interaction>> = Object.fromEntries(
  Object.entries({
    "a modified cursor": [firstPage, modifiedNext],
    "a truncated cursor": [firstPage, truncatedNext],
    "a forged cursor": [firstPage, "bm90.bWluZQ"],
    "an empty cursor": [firstPage, ""],
    "a cursor of a list of users": [ofUsers, next],
  } as const).map(([name, [given, after]]) => [
    `rejects ${name}`,
    { given, request: { query: { after } }, response: problem(400, "invalid_cursor") },
  ]),
);

const rejectsQuery = (name: string, values: readonly string[]): Interactions =>
  Object.fromEntries(
    values.map((value) => [
      `rejects ${name} ${JSON.stringify(value)}`,
      { request: { query: { [name]: value } }, response: invalid("query", name) },
    ]),
  );

export const events = {
  "events.queue": {
    "responds with an empty queue": { response: { status: 200, body: { event_count: 0, lag_ms: 0 } } },
    "has no event that was read from the feed": {
      given: firstPage,
      response: { status: 200, body: { event_count: 0, lag_ms: 0 } },
    },
  },
  "events.list": {
    ...accepted,
    ...badCursors,
    ...pageSizeCases({ ...accepted["begins at the end"], request: {} }, 1, 500),
    ...idCases({ request: { query: { channel_id: "room_1" } }, response: respond() }, "query", "channel_id"),
    ...rejectsQuery("types", [
      "",
      "message",
      "message.created,",
      "message.created,other",
      " message.created",
    ]),
    ...rejectsQuery("presence", ["", "online", "Invisible"]),
    ...rejectsQuery("wait", ["", "26", "-1", "1.5", "ten", "100"]),
    "rejects a cursor that is too old": {
      given: { ...firstPage, expiredEvents: true },
      request: { query: { after: next } },
      response: problem(410, "events_expired"),
    },
    "rejects a parameter given twice": {
      request: { query: { after: ["latest", "latest"] } },
      response: invalid("query", "after"),
    },
  },
} satisfies InteractionsByOperation;
