import {
  busyChannel,
  channelIdAt,
  channelsOfInbox,
  memberOf,
  membersPerChannel,
  userIdAt,
} from "../servers/dataset";
import { sides } from "../servers/side";
import { type Call, createdId, type Operation, pick } from "./operation";

export const writes: readonly Operation[] = [
  {
    id: "channels.reuse",
    title: "create a channel, reuse hit",
    turn: (n, side, { pairs }) => {
      const pair = pick(n, pairs);
      const members = [userIdAt(2 * pair), userIdAt(2 * pair - 1)];
      return [createChannel({ channel_id: createdId("talk", n, side), name: "Talk", members, reuse: true })];
    },
  },
  {
    id: "users.create",
    title: "create a user",
    hasMany: true,
    turn: (n, side) => [
      {
        method: "POST",
        path: "/v1/users",
        body: {
          user_id: createdId("new", n, side),
          name: `Kim ${n}`,
          profile_url: `https://example.com/images/${n}.png`,
          meta: { team: "blue", locale: "ko-KR" },
        },
      },
    ],
  },
  {
    id: "users.update",
    title: "update a user",
    turn: (n, _side, { users }) => [
      { method: "PUT", path: `/v1/users/${userIdAt(pick(n, users))}`, body: { name: `Lee ${n}` } },
    ],
  },
  {
    id: "users.upsertMany",
    title: "upsert 100 users, half of them new",
    turn: (n, side, { users }) => [
      {
        method: "PUT",
        path: "/v1/users",
        body: {
          users: Array.from({ length: 100 }, (_, k) => ({
            user_id: k < 50 ? createdId("bulk", 50 * n + k, side) : userIdAt(pick(50 * n + k, users)),
            name: `Park ${n} ${side}`,
            meta: { team: "blue" },
          })),
        },
      },
    ],
  },
  {
    id: "users.meta.merge",
    title: "merge metadata of a user",
    turn: (n, _side, { users }) => [
      {
        method: "PUT",
        path: `/v1/users/${userIdAt(pick(n, users))}/meta`,
        body: { meta: { seat: `row-${n}` } },
      },
    ],
  },
  {
    id: "channels.create",
    title: "create a channel with 10 members",
    turn: (n, side, sizes) => {
      const members = Array.from({ length: 10 }, (_, k) => userIdAt(memberOf(n, k, sizes)));
      const channel_id = createdId("chat", n, side);
      return [createChannel({ channel_id, name: `Chat ${n}`, members, meta: { kind: "new" } })];
    },
  },
  {
    id: "channels.members.join",
    title: "join + leave",
    turn: (n, side, sizes) => {
      // A user who is not a member, and another one in each turn of each side, so that turns do not interfere.
      const channel = pick(n, sizes.channels);
      const userOffset = sides.length * (Math.floor(n / sizes.channels) % 80) + sides.indexOf(side);
      const member = userIdAt(memberOf(channel, membersPerChannel + userOffset, sizes));
      const path = `/v1/group/channels/${channelIdAt(channel)}`;
      return [
        { method: "PUT", path: `${path}/join`, body: { member } },
        { method: "PUT", path: `${path}/leave`, body: { member } },
      ];
    },
  },
  {
    id: "channels.members.markRead",
    title: "mark a channel as read",
    isAwaited: true,
    hasMany: true,
    async refill({ database }) {
      await database.query(
        "UPDATE members SET read_created_at = NULL, read_pk = NULL WHERE read_pk IS NOT NULL",
      );
    },
    // Each member of a channel with messages, once in 10,000 turns.
    turn: (n, _side, sizes) => {
      const channels = Math.min(sizes.channels, channelsOfInbox);
      const channel = (n % channels) + 1;
      const member = memberOf(channel, Math.floor(n / channels) % membersPerChannel, sizes);
      const path = `/v1/group/channels/${channelIdAt(channel)}/members/${userIdAt(member)}/read`;
      return [{ method: "PUT", path }];
    },
  },
  {
    id: "messages.send",
    title: "send, over 10,000 channels",
    isAwaited: true,
    hasMany: true,
    turn: (n, _side, sizes) => {
      const channel = pick(n, sizes.channels);
      return [send(channelIdAt(channel), memberOf(channel, n % membersPerChannel, sizes), n)];
    },
  },
  {
    id: "messages.sendOne",
    title: "send, all into one channel",
    isAwaited: true,
    turn: (n) => [send(busyChannel, pick(n, 100), n)],
  },
];

/** Last: the service removes what belonged to deleted users while later rows would be measured. */
export const deletions: readonly Operation[] = [
  {
    id: "users.delete",
    title: "delete a user",
    async refill({ database }, side, n, count) {
      await database.query(
        `INSERT INTO users (user_id, name, created_at, updated_at)
         SELECT 'old_' || $1 || '_' || lpad(i::text, 7, '0'), 'Old', 1, 1 FROM generate_series($2::int, $3::int) AS i
         ON CONFLICT DO NOTHING`,
        [sides.indexOf(side), n, n + count],
      );
    },
    turn: (n, side) => [{ method: "DELETE", path: `/v1/users/${createdId("old", n, side)}` }],
  },
];

const createChannel = (body: unknown): Call => ({ method: "POST", path: "/v1/group/channels", body });

/** A message of one user. */
export function send(channelId: string, user: number, n: number) {
  const content = `See you at noon, I will keep a seat for you near the window. ${n}`;
  return {
    method: "POST",
    path: `/v1/group/channels/${channelId}/messages`,
    body: { user_id: userIdAt(user), type: "text", content },
  } as const;
}
