import { valueCases } from "../cases/value-cases";
import { kim, lee, lunch, numberedChannels, presentChannel, presentMessage } from "../fixtures";
import type { Interaction, Interactions, InteractionsByOperation } from "../interaction";
import { invalid, problem } from "../problem";
import { type NewMessage, type NewPreferences, requestTime, type World, worldTime } from "../world";

/** In the year 2100, by the clock of the database. */
const until = 4_102_444_800_000;
const params = { channel_id: "room_1", user_id: "kim_01" };
const joined: World = { users: [kim, lee], channels: [{ ...lunch, members: ["kim_01", "lee_02"] }] };
const line = {
  ...presentChannel(lunch),
  joined_at: worldTime,
  unread_count: 0,
  mention_count: 0,
  member_count: 2,
};
const lineWith = (preferences: object) => ({ status: 200, body: { ...line, preferences } });
const plain = { status: 200, body: line };
const prefer = (own: Omit<NewPreferences, keyof typeof params>): World => ({
  ...joined,
  preferences: [{ ...params, ...own }],
});
const set = (given: World, body: object, response: Interaction["response"]): Interaction => ({
  given,
  request: { params, body },
  response,
});

const pinnedRooms: World = {
  ...joined,
  channels: [
    { ...lunch, members: ["kim_01", "lee_02"] },
    ...numberedChannels(21)
      .slice(1)
      .map((channel) => ({ ...channel, members: ["kim_01"] })),
  ],
};
const pins = (count: number) =>
  numberedChannels(21)
    .slice(1, count + 1)
    .map(({ channel_id }) => ({ channel_id, user_id: "kim_01", pinned: true as const }));

const setPreferences = {
  "sets what is pushed": set(joined, { notify: "mentions" }, lineWith({ notify: "mentions" })),
  "sets it back to the default": set(prefer({ notify: "none" }), { notify: "all" }, plain),
  "is quiet until a time": set(joined, { quiet_until: until }, lineWith({ quiet_until: until })),
  "ends the time": set(prefer({ quiet_until: until }), { quiet_until: null }, plain),
  "hides a channel": set(joined, { hidden: true }, lineWith({ hidden: true })),
  "shows a hidden channel": set(prefer({ hidden: true }), { hidden: false }, plain),
  "archives a channel": set(joined, { archived: true }, lineWith({ archived: true })),
  "brings an archived channel back": set(prefer({ archived: true }), { archived: false }, plain),
  "pins a channel": set(joined, { pinned: true }, lineWith({ pinned_at: requestTime })),
  "unpins a channel": set(prefer({ pinned: true }), { pinned: false }, plain),
  "keeps the time of a pinned channel": set(
    prefer({ pinned: true, at: worldTime }),
    { pinned: true },
    lineWith({ pinned_at: worldTime }),
  ),
  "keeps what is absent": set(
    prefer({ notify: "none", quiet_until: until, archived: true }),
    { notify: "mentions" },
    lineWith({ notify: "mentions", quiet_until: until, archived: true }),
  ),
  "ends the archive by a pin": set(
    prefer({ archived: true }),
    { pinned: true },
    lineWith({ pinned_at: requestTime }),
  ),
  "ends a pin by hiding": set(prefer({ pinned: true }), { hidden: true }, lineWith({ hidden: true })),
  "ends hiding by the archive": set(
    prefer({ hidden: true }),
    { archived: true },
    lineWith({ archived: true }),
  ),
  "keeps the archive beside pinned: false": set(
    prefer({ archived: true }),
    { pinned: false },
    lineWith({ archived: true }),
  ),
  "changes several at once": set(
    joined,
    { notify: "none", quiet_until: until, hidden: false, archived: true, pinned: false },
    lineWith({ notify: "none", quiet_until: until, archived: true }),
  ),
  "sets them for the user itself": {
    given: joined,
    request: { params, body: { notify: "none" }, as: "kim_01" },
    response: {
      status: 200,
      // What a user does not see of a channel is left out.
      body: { ...line, preferences: { notify: "none" } },
    },
  },
  "accepts the 20th pin": set(
    { ...pinnedRooms, preferences: pins(19) },
    { pinned: true },
    lineWith({ pinned_at: requestTime }),
  ),
  "rejects the 21st pin": set(
    { ...pinnedRooms, preferences: pins(20) },
    { pinned: true },
    problem(409, "pin_limit_exceeded"),
  ),
  "rejects a user who is not a participant": set(
    { users: [kim], channels: [lunch] },
    { notify: "none" },
    problem(403, "not_a_participant"),
  ),
  "rejects a manager who is not a participant": set(
    { users: [kim], channels: [{ ...lunch, managers: ["kim_01"] }] },
    { notify: "none" },
    problem(403, "not_a_participant"),
  ),
  "rejects an empty change": set(joined, {}, invalid("body", "")),
  "rejects two places": set(joined, { hidden: true, pinned: true }, invalid("body", "")),
  "rejects three places": set(joined, { hidden: true, archived: true, pinned: true }, invalid("body", "")),
} satisfies Interactions;

const booleans = { rejects: { "set to a string": "true", "set to null": null, "set to a number": 1 } };

/** Kim has hidden, archived and pinned a channel each, and has another one. */
const rooms = numberedChannels(4).map((channel) => ({ ...channel, members: ["kim_01", "lee_02"] }));
const [hiddenRoom, archivedRoom, pinnedRoom, plainRoom] = rooms;
const places: World = {
  users: [kim, lee],
  channels: rooms,
  preferences: [
    { channel_id: hiddenRoom?.channel_id ?? "", user_id: "kim_01", hidden: true },
    { channel_id: archivedRoom?.channel_id ?? "", user_id: "kim_01", archived: true },
    { channel_id: pinnedRoom?.channel_id ?? "", user_id: "kim_01", pinned: true, at: worldTime },
  ],
};
const entry = (room: (typeof rooms)[number] | undefined, own: object = {}) => {
  const channel = room ?? lunch;
  const { at = worldTime } = channel;
  return {
    ...presentChannel(channel),
    joined_at: at,
    unread_count: 0,
    mention_count: 0,
    member_count: 2,
    ...own,
  };
};
const hiddenEntry = entry(hiddenRoom, { preferences: { hidden: true } });
const archivedEntry = entry(archivedRoom, { preferences: { archived: true } });
const pinnedEntry = entry(pinnedRoom, { preferences: { pinned_at: worldTime } });
const plainEntry = entry(plainRoom);
const inbox = (query: Record<string, string>, channels: readonly object[], given = places): Interaction => ({
  given,
  request: { params: { user_id: "kim_01" }, query },
  response: { status: 200, body: { channels } },
});
const ids = rooms.map(({ channel_id }) => channel_id).join();
const hello: NewMessage = {
  channel_id: hiddenRoom?.channel_id ?? "",
  user_id: "lee_02",
  content: "Hello",
  at: worldTime + 9_000,
};

/** What the list of channels shows and leaves out. */
export const listedPreferences = {
  "leaves out hidden and archived channels, and keeps pinned ones in their place": inbox({}, [
    plainEntry,
    pinnedEntry,
  ]),
  "lists hidden channels": inbox({ hidden: "true" }, [hiddenEntry]),
  "lists archived channels": inbox({ archived: "true" }, [archivedEntry]),
  "lists pinned channels": inbox({ pinned: "true" }, [pinnedEntry]),
  "lists the inbox for hidden=false": inbox({ hidden: "false", archived: "false", pinned: "false" }, [
    plainEntry,
    pinnedEntry,
  ]),
  "shows named channels whatever they are": inbox({ channel_ids: ids }, [
    hiddenEntry,
    archivedEntry,
    pinnedEntry,
    plainEntry,
  ]),
  ...Object.fromEntries(
    [
      ["hidden", "archived"],
      ["hidden", "pinned"],
      ["unread", "archived"],
      ["unread", "pinned"],
    ].map(([one = "", other = ""]) => [
      `rejects ${other} with ${one}`,
      {
        request: { params: { user_id: "kim_01" }, query: { [one]: "true", [other]: "true" } },
        response: invalid("query", other),
      },
    ]),
  ),
  ...Object.fromEntries(
    ["hidden", "archived", "pinned"].map((name) => [
      `rejects ${name} with channel_ids`,
      {
        request: { params: { user_id: "kim_01" }, query: { [name]: "true", channel_ids: ids } },
        response: invalid("query", name),
      },
    ]),
  ),
} satisfies Interactions;

const unreadIn = (index: number): NewMessage => ({
  ...hello,
  channel_id: rooms[index]?.channel_id ?? "",
});
/** A message comes before the preferences are set: it does not bring the hidden channel back. */
const allUnread: World = { ...places, messages: rooms.map((_, index) => unreadIn(index)) };

/** What the total counts apart. */
export const quietTotals = {
  "counts hidden and archived channels apart": {
    given: allUnread,
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { unread_count: 2, channel_count: 2, quiet_unread_count: 2 } },
  },
  "counts silenced channels apart": {
    given: {
      ...allUnread,
      preferences: [
        { channel_id: rooms[0]?.channel_id ?? "", user_id: "kim_01", notify: "none" },
        { channel_id: rooms[1]?.channel_id ?? "", user_id: "kim_01", quiet_until: until },
        { channel_id: rooms[2]?.channel_id ?? "", user_id: "kim_01", notify: "mentions" },
      ],
    },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { unread_count: 2, channel_count: 2, quiet_unread_count: 2 } },
  },
  "does not count messages of a user who is blocked": {
    given: { ...allUnread, preferences: [], blocks: [{ user_id: "kim_01", blocked_user_id: "lee_02" }] },
    request: { params: { user_id: "kim_01" } },
    response: { status: 200, body: { unread_count: 0, channel_count: 0, quiet_unread_count: 0 } },
  },
} satisfies Interactions;

/** In the channel of three, where messages of blocked users are stored and listed. */
const three: World = {
  users: [kim, lee, { user_id: "park_03", name: "Park" }],
  channels: [{ ...lunch, members: ["kim_01", "lee_02", "park_03"] }],
};
const mention: NewMessage = {
  channel_id: "room_1",
  user_id: "lee_02",
  content: "Kim!",
  mentions: ["kim_01"],
  at: worldTime + 1_000,
};

/** What a block does to a line of the inbox. */
export const blockedLines = {
  "counts neither messages nor mentions of a user who is blocked": {
    given: { ...three, messages: [mention], blocks: [{ user_id: "kim_01", blocked_user_id: "lee_02" }] },
    request: { params: { user_id: "kim_01" } },
    response: {
      status: 200,
      body: {
        channels: [
          {
            ...line,
            member_count: 3,
            total_message_count: 1,
            last_message: presentMessage(mention, lee),
          },
        ],
      },
    },
  },
  "counts messages of a user by whom the other is blocked": {
    given: { ...three, messages: [mention], blocks: [{ user_id: "lee_02", blocked_user_id: "kim_01" }] },
    request: { params: { user_id: "kim_01" } },
    response: {
      status: 200,
      body: {
        channels: [
          {
            ...line,
            member_count: 3,
            total_message_count: 1,
            unread_count: 1,
            mention_count: 1,
            last_message: presentMessage(mention, lee),
          },
        ],
      },
    },
  },
} satisfies Interactions;

export const preferences = {
  "channels.members.setPreferences": {
    ...setPreferences,
    ...valueCases(setPreferences["sets what is pushed"], "body", "notify", {
      rejects: { "that is unknown": "some", "set to null": null, "that is empty": "" },
    }),
    ...valueCases(setPreferences["is quiet until a time"], "body", "quiet_until", {
      accepts: { "in the far future": Number.MAX_SAFE_INTEGER },
      rejects: {
        "that has passed": worldTime,
        "that is 0": 0,
        "that is negative": -1,
        "with a fraction": until + 0.5,
        "set to a string": String(until),
      },
    }),
    ...valueCases(setPreferences["hides a channel"], "body", "hidden", booleans),
    ...valueCases(setPreferences["archives a channel"], "body", "archived", booleans),
    ...valueCases(setPreferences["pins a channel"], "body", "pinned", booleans),
  },
} satisfies InteractionsByOperation;
