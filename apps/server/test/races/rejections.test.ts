import { afterAll, beforeAll, expect, test } from "vitest";
import { Model, type ModelResponse } from "../properties/model";
import { type Step, steps, summarize } from "../properties/steps";
import { callPatiently, type Sent } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { type Event, findUnexplained } from "./history";
import { type Rival, startRival } from "./rival";

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

/** The steps before a round, which earlier rounds may have run, and the chains of steps that run concurrently in it. */
interface Round {
  readonly start: readonly Step[];
  readonly chains: readonly (readonly Step[])[];
}

const concurrency = 4;
const single = (list: readonly Step[]) => list.map((step) => [step]);
const pick = <Item>(list: readonly [Item, ...Item[]]): Item =>
  list[Math.floor(Math.random() * list.length)] ?? list[0];
const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

/** Compares only the flag of the response, because the number of messages depends on the order of sends. */
const freeze = (id: string, isFrozen: boolean): Step => ({
  ...steps.freeze(id, isFrozen),
  expected(model) {
    const response = model.freeze(id, isFrozen);
    return response.status === 200 ? { status: 200, body: isFrozen } : response;
  },
  select: ({ freeze }) => freeze,
});

const moderationRace = "mutes, bans and suspensions, joins, leaves and sends of the same users";
const upsertRace = "upserts and the single changes and deletions of the same users";
const manyRace = "additions and sends of many, and their single forms";
const mainRace = "joins, leaves, freezes and sends of the same users";

/** The ids of a round contain its number. */
const races: Record<string, (round: number) => Round> = {
  [mainRace](round) {
    const channel = `same_${round}`;
    const users = ["same_a", "same_b", "same_c"] as const;
    const change = () => {
      const user = pick(users);
      return pick([
        steps.join(channel, user),
        steps.join(channel, user),
        steps.leave(channel, user),
        freeze(channel, true),
        freeze(channel, false),
        steps.addManager(channel, user),
        steps.removeManager(channel, user),
      ]);
    };
    return {
      start: [
        ...users.map((user) => steps.createUser(user, "User")),
        steps.createChannel(channel, [users[0]], false),
      ],
      chains: single([...times(6, change), ...times(8, () => steps.send(channel, pick(users), "text"))]),
    };
  },
  [moderationRace](round) {
    const channel = `mod_${round}`;
    // Each round suspends users of its own.
    const users = [`mod_a${round}`, `mod_b${round}`] as const;
    const change = () => {
      const user = pick(users);
      return pick([
        steps.mute(channel, user),
        steps.mute(channel, user),
        steps.unmute(channel, user),
        steps.ban(channel, user),
        steps.unban(channel, user),
        steps.suspend(user),
        steps.unsuspend(user),
        steps.join(channel, user),
        steps.leave(channel, user),
        steps.addManager(channel, user),
      ]);
    };
    return {
      start: [
        ...users.map((user) => steps.createUser(user, "User")),
        steps.createChannel(channel, [...users], false),
      ],
      // A send after a change in the same chain is sent after its response.
      chains: [
        ...times(3, () => [change(), steps.send(channel, pick(users), "text"), change()]),
        ...times(5, () => [
          steps.send(channel, pick(users), "text"),
          steps.send(channel, pick(users), "text"),
        ]),
      ],
    };
  },
  [manyRace](round) {
    const rooms = [`many_a${round}`, `many_b${round}`] as const;
    const users = [`many_u${round}`, `many_v${round}`, `many_w${round}`] as const;
    const change = () => {
      const [room, user] = [pick(rooms), pick(users)];
      return pick([
        steps.addMany(room, users.slice(pick([0, 1, 2]))),
        steps.addMany(room, users.slice(pick([0, 1]))),
        steps.join(room, user),
        steps.leave(room, user),
        steps.ban(room, user),
        steps.unban(room, user),
        steps.mute(room, user),
        steps.suspend(user),
        steps.unsuspend(user),
        freeze(room, true),
        freeze(room, false),
      ]);
    };
    return {
      start: [
        ...users.map((user) => steps.createUser(user, "User")),
        ...rooms.map((room) => steps.createChannel(room, users.slice(0, 2), false)),
      ],
      chains: [
        ...times(3, () => [change(), steps.sendMany(rooms, pick(users), "text"), change()]),
        ...times(4, () => [
          steps.sendMany(pick<readonly string[]>([rooms, rooms.toReversed()]), pick(users), "text"),
          steps.send(pick(rooms), pick(users), "text"),
        ]),
      ],
    };
  },
  "additions and sends of many and deletions"(round) {
    const rooms = [`gone_a${round}`, `gone_b${round}`] as const;
    const users = ["gone_u", `gone_v${round}`] as const;
    return {
      start: [
        ...users.map((user) => steps.createUser(user, "User")),
        ...rooms.map((room) => steps.createChannel(room, [], false)),
      ],
      chains: [
        [steps.deleteUser(users[1]), steps.createUser(users[1], "User")],
        [steps.deleteChannel(rooms[1]), steps.createChannel(rooms[1], [users[0]], false)],
        [steps.addMany(rooms[0], users), steps.addMany(rooms[1], users)],
        [steps.addMany(rooms[1], users), steps.sendMany(rooms, users[1], "text")],
        ...times(3, () => [steps.sendMany(rooms, pick(users), "text")]),
      ],
    };
  },
  "joins that are followed by sends"(round) {
    const channel = `join_${round}`;
    const users = ["a", "b", "c", "d", "e"].map((name) => `join_${name}`);
    return {
      start: [
        ...users.map((user) => steps.createUser(user, "User")),
        steps.createChannel(channel, [], false),
      ],
      chains: users.flatMap((user) => [[steps.join(channel, user)], [steps.send(channel, user, "text")]]),
    };
  },
  "creation of a channel and of its member"(round) {
    const [a, b] = ["make_a", `make_b${round}`];
    const create = () => steps.createChannel(`make_${round}`, [a, b], false);
    return {
      start: [steps.createUser(a, "User")],
      chains: single([create(), steps.createUser(b, "User"), create()]),
    };
  },
  "creation of a user and a merge of one pair"(round) {
    const user = `meta_${round}`;
    const merge = (key: string) => steps.mergeMeta(user, { [key]: "1" });
    return {
      start: [],
      chains: single([merge("a"), steps.createUser(user, "User"), merge("b"), merge("c")]),
    };
  },
  [upsertRace](round) {
    const users = [`put_a${round}`, `put_b${round}`, `put_c${round}`] as const;
    const pair = () => ({ [pick(["a", "b"])]: pick(["1", "2"]) });
    const upsert = () =>
      steps.upsertMany(
        users
          .toSorted(() => Math.random() - 0.5)
          .slice(pick([0, 1]))
          .map((user_id) => ({ user_id, name: pick(["One", "Two"]), meta: pair() })),
      );
    const change = () => {
      const user = pick(users);
      return pick([
        steps.createUser(user, "One"),
        steps.updateUser(user, "Two"),
        steps.mergeMeta(user, pair()),
        steps.deleteMeta(user, ["a"]),
        steps.deleteUser(user),
      ]);
    };
    return {
      start: [steps.createUser(pick(users), "One")],
      chains: [
        ...times(3, () => [upsert(), steps.getUser(pick(users)), upsert()]),
        ...times(3, () => [change(), change(), steps.getUser(pick(users))]),
      ],
    };
  },
  "roles and the deletion and creation of the user"(round) {
    const channel = `user_${round}`;
    const [a, b] = ["user_a", `user_b${round}`];
    return {
      start: [
        ...[a, b].map((user) => steps.createUser(user, "User")),
        steps.createChannel(channel, [a, b], false),
      ],
      chains: [
        times(3, () => [steps.deleteUser(b), steps.createUser(b, "User")]).flat(),
        [steps.join(channel, b), steps.join(channel, b), steps.send(channel, b, "text")],
        [steps.addManager(channel, b), steps.addManager(channel, b), steps.send(channel, b, "text")],
        [steps.leave(channel, b), steps.removeManager(channel, b)],
      ],
    };
  },
  "roles and the deletion and creation of the channel"(round) {
    const channel = `chan_${round}`;
    const [a, b] = ["chan_a", "chan_b"];
    return {
      start: [
        ...[a, b].map((user) => steps.createUser(user, "User")),
        steps.createChannel(channel, [a, b], false),
      ],
      chains: [
        times(3, () => [steps.deleteChannel(channel), steps.createChannel(channel, [a], false)]).flat(),
        [steps.join(channel, b), steps.join(channel, b), steps.send(channel, b, "text")],
        [steps.addManager(channel, b), steps.addManager(channel, b), steps.send(channel, b, "text")],
        [steps.leave(channel, a), steps.removeManager(channel, b), freeze(channel, true)],
      ],
    };
  },
  "reuse with ids that are created meanwhile"(round) {
    const [a, b] = ["pair_a", `pair_b${round}`];
    const id = `pair_${round}`;
    return {
      start: [steps.createUser(a, "User")],
      chains: single([
        steps.createChannel(id, [a, b], true),
        steps.createUser(b, "User"),
        steps.createChannel(id, [b, a], true),
        steps.createChannel(id, [a, b], false),
        steps.createChannel(`${id}_x`, [b, a], true),
      ]),
    };
  },
};

async function runStep(url: string, step: Step, sent: Sent = {}): Promise<Event> {
  const [method, path, body] = step.request;
  const sentAt = performance.now();
  const reply = await callPatiently(url, method, path, { ...sent, ...(body !== undefined && { body }) });
  return { step, response: summarize(step, reply), sentAt, receivedAt: performance.now() };
}

const started = new Map<string, Promise<Event>>();

/** Runs a step that several rounds share once. */
function runOnce(step: Step): Promise<Event> {
  const running = started.get(step.name) ?? runPatiently(step);
  started.set(step.name, running);
  return running;
}

/** Sends the request again if the server was too busy to respond in time, as a client does. */
async function runPatiently(step: Step): Promise<Event> {
  const idempotencyKey = crypto.randomUUID();
  for (;;) {
    const event = await runStep(servers[0].url, step, { idempotencyKey });
    if (event.response.status !== 503) return event;
  }
}

/** Undefined if a server was too busy to respond to a request of the race, which may have taken effect or not. */
async function runRound({ start, chains }: Round): Promise<{ count: number; wrong: string[] } | undefined> {
  const model = new Model();
  for (const step of start) {
    const { response } = await runOnce(step);
    expect(response, step.name).toEqual(step.expected(model));
  }
  const events = await Promise.all(
    chains.map(async (chain, index) => {
      const taken: Event[] = [];
      for (const step of chain) taken.push(await runStep(servers[index % 2 === 0 ? 0 : 1].url, step));
      return taken;
    }),
  );
  if (events.flat().some(({ response }) => response.status === 503)) return undefined;
  const single = events.flat().flatMap(splitSends);
  const isChange = ({ step, response }: Event) =>
    response.status < 300 && !step.request[1].endsWith("/messages");
  const wrong = findUnexplained(model, single, isChange);
  return { count: events.flat().length, wrong };
}

/** Each channel of a message to many is independent: its result has to be that of a send of its own. */
function splitSends(event: Event): Event[] {
  const [, path, body] = event.step.request;
  if (path !== "/v1/messages") return [event];
  const { channel_ids: ids, user_id, content } = Object(body);
  // The step of `sendMany` selects these.
  const responses = event.response.body as ModelResponse[];
  return ids.map((id: string, index: number) => ({
    ...event,
    step: steps.send(id, user_id, content),
    response: responses[index],
  }));
}

test.each(Object.entries(races))(
  "%s: an order of the changes explains every response",
  async (fault, create) => {
    const rounds =
      fault === moderationRace ? scale(60, 6_400) : scale(30, fault === mainRace ? 10_000 : 2_000);
    const wrong: string[] = [];
    let requests = 0;
    let next = 0;
    let undecided = 0;
    const worker = async () => {
      while (next - undecided < rounds && undecided <= rounds / 4) {
        const result = await runRound(create(next++));
        if (result === undefined) {
          undecided += 1;
          continue;
        }
        requests += result.count;
        wrong.push(...result.wrong);
      }
    };
    await Promise.all(times(concurrency, worker));
    expect(undecided, "rounds in which a server was too busy").toBeLessThanOrEqual(rounds / 4);
    const { violations } = await checkData(database.url);
    await report({
      fault,
      load: `${concurrency} races at a time, 2 processes, ${rounds.toLocaleString("en-US")} rounds`,
      sent: requests,
      acknowledged: requests,
      wrong: wrong.length + violations.length,
    });
    expect({ count: wrong.length, some: wrong.slice(0, 5), violations }).toEqual({
      count: 0,
      some: [],
      violations: [],
    });
  },
);
