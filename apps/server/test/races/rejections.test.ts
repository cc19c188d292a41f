import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../faults/process";
import { judge } from "../properties/judge";
import { Model } from "../properties/model";
import { type Step, seenBy, steps } from "../properties/steps";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { type Event, findFalse } from "./history";

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [ServerProcess, ServerProcess];
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startProcess(database.url), startProcess(database.url)]);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  await database.drop();
});

/** What exists before a round, here or from an earlier one, and the chains of steps that race in it: the steps of one chain follow each other. */
interface Round {
  readonly start: readonly Step[];
  readonly chains: readonly (readonly Step[])[];
}

const lanes = 4;
const once = (list: readonly Step[]) => list.map((step) => [step]);
const pick = <Item>(list: readonly [Item, ...Item[]]): Item =>
  list[Math.floor(Math.random() * list.length)] ?? list[0];
const times = <Item>(count: number, make: () => Item) => Array.from({ length: count }, make);

/** Of the response only the flag is compared: the sends of a round are in no certain order. */
const freeze = (id: string, isFrozen: boolean): Step => ({
  ...steps.freeze(id, isFrozen),
  expected(model) {
    const answer = model.freeze(id, isFrozen);
    return answer.status === 200 ? { status: 200, seen: isFrozen } : answer;
  },
  seen: ({ freeze }) => freeze,
});

const mainRace = "joins, leaves, freezes and sends of the same users";

/** Each is given a number of its own, from which its ids are made. */
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
      chains: once([...times(6, change), ...times(8, () => steps.send(channel, pick(users), "text"))]),
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
      chains: once([create(), steps.createUser(b, "User"), create()]),
    };
  },
  "creation of a user and a merge of one pair"(round) {
    const user = `meta_${round}`;
    const merge = (key: string) => steps.mergeMeta(user, { [key]: "1" });
    return { start: [], chains: once([merge("a"), steps.createUser(user, "User"), merge("b"), merge("c")]) };
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
      chains: once([
        steps.createChannel(id, [a, b], true),
        steps.createUser(b, "User"),
        steps.createChannel(id, [b, a], true),
        steps.createChannel(id, [a, b], false),
        steps.createChannel(`${id}_x`, [b, a], true),
      ]),
    };
  },
};

async function take(url: string, step: Step): Promise<Event> {
  const [method, path, body] = step.request;
  const sentAt = performance.now();
  const reply = await call(url, method, path, body === undefined ? {} : { body });
  return { step, answer: seenBy(step, reply), sentAt, answeredAt: performance.now() };
}

const begun = new Map<string, Promise<Event>>();

/** Takes a step that several rounds may begin with, once. */
function begin(step: Step): Promise<Event> {
  const taken = begun.get(step.name) ?? take(servers[0].url, step);
  begun.set(step.name, taken);
  return taken;
}

async function run({ start, chains }: Round): Promise<{ count: number; wrong: string[] }> {
  const model = new Model();
  for (const step of start) {
    const { answer } = await begin(step);
    expect(answer, step.name).toEqual(step.expected(model));
  }
  const events = await Promise.all(
    chains.map(async (chain, index) => {
      const taken: Event[] = [];
      for (const step of chain) taken.push(await take(servers[index % 2 === 0 ? 0 : 1].url, step));
      return taken;
    }),
  );
  const isChange = ({ step, answer }: Event) => answer.status < 300 && !step.request[1].endsWith("/messages");
  const wrong = findFalse(model, events.flat(), isChange);
  return { count: events.flat().length, wrong };
}

test.each(Object.entries(races))("%s: no response is false throughout its request", async (fault, make) => {
  const rounds = fault === mainRace ? scale(30, 10_000) : scale(30, 2_000);
  const wrong: string[] = [];
  let requests = 0;
  let next = 0;
  const lane = async () => {
    while (next < rounds) {
      const result = await run(make(next++));
      requests += result.count;
      wrong.push(...result.wrong);
    }
  };
  await Promise.all(times(lanes, lane));
  const { broken } = await judge(database.url);
  await report({
    fault,
    load: `${lanes} races at a time, 2 processes, ${rounds.toLocaleString("en-US")} rounds`,
    sent: requests,
    acknowledged: requests,
    lost: 0,
    doubled: 0,
    wrong: wrong.length + broken.length,
    longestOutageMs: undefined,
  });
  expect({ count: wrong.length, some: wrong.slice(0, 5), broken }).toEqual({
    count: 0,
    some: [],
    broken: [],
  });
});
