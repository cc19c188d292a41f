import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";
import { judge } from "./judge";
import { type Answer, Model } from "./model";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: TestServer;
let client: pg.Client;
let clock = 1_000;
let requests = 0;
beforeAll(async () => {
  database = await createDatabase();
  // A clock that moves with every look, so that orders are those of the requests.
  server = await startServerOn(database.url, { now: () => clock++ });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.close();
  await database.drop();
});

type Body = ReturnType<typeof JSON.parse>;

/** One step: what the model says, what the server is asked, and what of its answer is compared. */
interface Step {
  readonly name: string;
  readonly expected: (model: Model) => Answer;
  readonly request: readonly [method: string, path: string, body?: unknown];
  readonly seen?: (body: Body) => unknown;
}

const user = fc.constantFrom("usr_a", "usr_b", "usr_c");
const room = fc.constantFrom("room_x", "room_y", "room_z");
const word = fc.constantFrom("one", "two", "three");
const metaKeys = [..."abcdefghijkl"];
const rooms = "/v1/group/channels";

const userSeen = ({ name, meta }: Body) => ({ name, meta });
const roomSeen = ({ freeze, total_message_count: total }: Body) => ({ freeze, total });
const idsSeen = (list: Body) => list.map(({ user_id }: Body) => user_id);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(user, word).map(
    ([user_id, name]): Step => ({
      name: `create ${user_id}`,
      expected: (model) => model.createUser(user_id, name),
      request: ["POST", "/v1/users", { user_id, name }],
      seen: userSeen,
    }),
  ),
  fc.tuple(user, word).map(
    ([id, name]): Step => ({
      name: `rename ${id}`,
      expected: (model) => model.updateUser(id, name),
      request: ["PUT", `/v1/users/${id}`, { name }],
      seen: userSeen,
    }),
  ),
  user.map(
    (id): Step => ({
      name: `get ${id}`,
      expected: (model) => model.getUser(id),
      request: ["GET", `/v1/users/${id}`],
      seen: userSeen,
    }),
  ),
  user.map(
    (id): Step => ({
      name: `delete ${id}`,
      expected: (model) => model.deleteUser(id),
      request: ["DELETE", `/v1/users/${id}`],
    }),
  ),
  fc.tuple(user, fc.dictionary(fc.constantFrom(...metaKeys), word, { maxKeys: 8 })).map(
    ([id, meta]): Step => ({
      name: `merge ${id} ${JSON.stringify(meta)}`,
      expected: (model) => model.mergeMeta(id, meta),
      request: ["PUT", `/v1/users/${id}/meta`, { meta }],
      seen: userSeen,
    }),
  ),
  fc.tuple(user, fc.subarray(metaKeys)).map(
    ([id, keys]): Step => ({
      name: `unset ${id} ${keys}`,
      expected: (model) => model.deleteMeta(id, keys),
      request: ["DELETE", `/v1/users/${id}/meta`, { keys }],
      seen: userSeen,
    }),
  ),
  fc.constant<Step>({
    name: "list users",
    expected: (model) => model.listUsers(),
    request: ["GET", "/v1/users"],
    seen: ({ users }) => idsSeen(users),
  }),
  fc.tuple(room, fc.array(user, { maxLength: 3 }), fc.boolean()).map(
    ([channel_id, members, reuse]): Step => ({
      name: `create ${channel_id} of ${members}${reuse ? ", reusing" : ""}`,
      expected: (model) => model.createChannel(channel_id, members, reuse),
      request: ["POST", rooms, { channel_id, name: channel_id, members, reuse }],
      seen: ({ channel_id: id, members }) => ({ id, members: idsSeen(members) }),
    }),
  ),
  room.map(
    (id): Step => ({
      name: `get ${id}`,
      expected: (model) => model.getChannel(id),
      request: ["GET", `${rooms}/${id}`],
      seen: roomSeen,
    }),
  ),
  fc.tuple(room, fc.boolean()).map(
    ([id, freeze]): Step => ({
      name: `freeze ${id} ${freeze}`,
      expected: (model) => model.freeze(id, freeze),
      request: ["PUT", `${rooms}/${id}/freeze`, { freeze }],
      seen: roomSeen,
    }),
  ),
  room.map(
    (id): Step => ({
      name: `delete ${id}`,
      expected: (model) => model.deleteChannel(id),
      request: ["DELETE", `${rooms}/${id}`],
    }),
  ),
  fc.tuple(room, user, fc.constantFrom("join", "leave")).map(
    ([id, member, how]): Step => ({
      name: `${member} ${how} ${id}`,
      expected: (model) => (how === "join" ? model.join(id, member) : model.leave(id, member)),
      request: ["PUT", `${rooms}/${id}/${how}`, { member }],
    }),
  ),
  fc.tuple(room, user, fc.boolean()).map(
    ([id, manager, isAdding]): Step => ({
      name: `${manager} ${isAdding ? "manages" : "no more manages"} ${id}`,
      expected: (model) => (isAdding ? model.addManager(id, manager) : model.removeManager(id, manager)),
      request: [isAdding ? "POST" : "DELETE", `${rooms}/${id}/managers`, { manager }],
    }),
  ),
  fc.tuple(room, fc.constantFrom("members" as const, "managers" as const)).map(
    ([id, what]): Step => ({
      name: `${what} of ${id}`,
      expected: (model) => model.list(id, what),
      request: ["GET", `${rooms}/${id}/${what}`],
      seen: idsSeen,
    }),
  ),
  fc.tuple(room, user, word).map(
    ([id, user_id, content]): Step => ({
      name: `${user_id} says ${content} in ${id}`,
      expected: (model) => model.send(id, user_id, content),
      request: ["POST", `${rooms}/${id}/messages`, { user_id, type: "text", content }],
      seen: ({ content }) => content,
    }),
  ),
  room.map(
    (id): Step => ({
      name: `export ${id}`,
      expected: (model) => model.export(id),
      request: ["GET", `/v1/exports/group/channels/${id}/messages`],
      seen: ({ messages }) => messages.map(({ user, content }: Body) => [user.user_id, user.name, content]),
    }),
  ),
);

/** Beginnings that most steps need, so that not all of them meet nothing. */
const beginning: readonly Step[] = ["usr_a", "usr_b"].map((user_id) => ({
  name: `create ${user_id}`,
  expected: (model) => model.createUser(user_id, user_id),
  request: ["POST", "/v1/users", { user_id, name: user_id }],
  seen: userSeen,
}));

function compared({ status, body }: Reply, seen: Step["seen"]): Answer {
  if (status >= 400) return { status, seen: body.code };
  return seen === undefined ? { status } : { status, seen: seen(body) };
}

test("any sequence of operations gives the answers of a model that fits on a page or two", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (steps) => {
      await client.query(
        "DELETE FROM messages; DELETE FROM members; DELETE FROM managers; DELETE FROM channels; DELETE FROM users",
      );
      const model = new Model();
      const history: string[] = [];
      for (const { name, expected, request, seen } of [...beginning, ...steps]) {
        const [method, path, body] = request;
        history.push(name);
        requests++;
        const reply = await call(server.url, method, path, body === undefined ? {} : { body });
        expect(compared(reply, seen), history.join("; ")).toEqual(expected(model));
      }
    }),
    { numRuns: scale(50, 10_000), seed: Number(process.env.MADANG_SEED ?? 7) },
  );
  const { broken } = await judge(database.url);
  await report({
    fault: "sequences of operations against a model",
    load: `${scale(50, 10_000).toLocaleString("en-US")} sequences`,
    sent: requests,
    acknowledged: requests,
    lost: 0,
    doubled: 0,
    wrong: broken.length,
    longestOutageMs: undefined,
  });
  expect(broken).toEqual([]);
});
