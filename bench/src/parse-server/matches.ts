import { channelIdAt, historyChannel, memberOf, membersPerChannel } from "../dataset";
import { findOperation } from "../operations/all";
import { type Call, type Operation, pick } from "../operations/operation";

/** One of our operations, and the one of Parse Server that comes nearest to it. */
export interface Match {
  readonly ours: Operation;
  readonly theirs: Operation;
  /** How many objects their response must hold; undefined if it is one object. */
  readonly results: number | undefined;
}

const personIdAt = (index: number) => `p${String(index).padStart(9, "0")}`;
const person = (index: number) => ({ __type: "Pointer", className: "Person", objectId: personIdAt(index) });

export const matches: readonly Match[] = [
  match("users.get", undefined, (n, { users }) => get(`Person/${personIdAt(pick(n, users))}`)),
  match("users.list", 30, () => get("Person?limit=30&order=-createdAt")),
  match("exports.1000.newest", 1_000, () => {
    const where = encodeURIComponent(JSON.stringify({ channel: historyChannel }));
    return get(`Message?where=${where}&limit=1000&order=-createdAt&include=sender`);
  }),
  match("users.create", undefined, (n) =>
    post("Person", {
      handle: `new_${n}`,
      name: `Kim ${n}`,
      picture: `https://example.com/pictures/${n}.png`,
      meta: { team: "blue", locale: "ko-KR" },
    }),
  ),
  match("channels.create", undefined, (n, sizes) => {
    const members = Array.from({ length: membersPerChannel }, (_, k) => person(memberOf(n, k, sizes)));
    return post("Channel", { handle: `chat_${n}`, name: `Chat ${n}`, members, meta: { kind: "new" } });
  }),
  match("messages.send", undefined, (n, sizes) => {
    const channel = pick(n, sizes.channels);
    const content = `See you at noon, I will keep a seat for you near the window. ${n}`;
    const sender = person(memberOf(channel, n % membersPerChannel, sizes));
    return post("Message", { channel: channelIdAt(channel), sender, type: "text", content, meta: {} });
  }),
];

function match(
  id: string,
  results: number | undefined,
  call: (n: number, sizes: Parameters<Operation["turn"]>[2]) => Call,
): Match {
  const ours = findOperation(id);
  return { ours, theirs: { id, title: ours.title, turn: (n, _side, sizes) => [call(n, sizes)] }, results };
}

function get(path: string): Call {
  return { method: "GET", path: `/parse/classes/${path}` };
}

function post(className: string, body: unknown): Call {
  return { method: "POST", path: `/parse/classes/${className}`, body };
}
