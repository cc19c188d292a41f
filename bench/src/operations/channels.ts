import { bigRoom, hotRoom, memberOf, roomIdAt, roomMembers, userIdAt } from "../world";
import { made, type Operation, pick } from "./operation";

export const channelOperations: readonly Operation[] = [
  {
    id: "channels.members.list",
    title: "list 100 members",
    target: undefined,
    turn: () => [{ method: "GET", path: `/v1/group/channels/${bigRoom}/members` }],
  },
  {
    id: "channels.reuse",
    title: "create a channel, reuse hit",
    target: undefined,
    turn: (n, side, { pairs }) => {
      const pair = pick(n, pairs);
      const members = [userIdAt(2 * pair), userIdAt(2 * pair - 1)];
      const body = { channel_id: made("talk", n, side), name: "Talk", members, reuse: true };
      return [{ method: "POST", path: "/v1/group/channels", body }];
    },
  },
  {
    id: "channels.create",
    title: "create a channel with 10 members",
    target: 0.7,
    turn: (n, side, sizes) => {
      const members = Array.from({ length: 10 }, (_, k) => userIdAt(memberOf(n, k, sizes)));
      const body = { channel_id: made("chat", n, side), name: `Chat ${n}`, members, meta: { kind: "new" } };
      return [{ method: "POST", path: "/v1/group/channels", body }];
    },
  },
  {
    id: "channels.members.join",
    title: "join + leave",
    target: 0.6,
    turn: (n, side, sizes) => {
      // A user who is no member, another one in each turn and on each side, so that no turn meets what another left.
      const room = pick(n, sizes.rooms);
      const guest = 2 * (Math.floor(n / sizes.rooms) % 200) + (side === "server" ? 0 : 1);
      const member = userIdAt(memberOf(room, roomMembers + guest, sizes));
      const path = `/v1/group/channels/${roomIdAt(room)}`;
      return [
        { method: "PUT", path: `${path}/join`, body: { member } },
        { method: "PUT", path: `${path}/leave`, body: { member } },
      ];
    },
  },
  {
    id: "messages.send",
    title: "send, over 10,000 channels",
    target: 0.6,
    turn: (n, _side, sizes) => {
      const room = pick(n, sizes.rooms);
      return [send(roomIdAt(room), memberOf(room, n % roomMembers, sizes), n)];
    },
  },
  {
    id: "messages.sendOne",
    title: "send, all in one channel",
    target: 1,
    turn: (n) => [send(hotRoom, pick(n, 100), n)],
  },
];

/** A message of one user. */
export function send(room: string, user: number, n: number) {
  const content = `See you at noon, I will keep a seat for you near the window. ${n}`;
  return {
    method: "POST",
    path: `/v1/group/channels/${room}/messages`,
    body: { user_id: userIdAt(user), type: "text", content },
  } as const;
}
