import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";
import { Model } from "./model";
import { fillMessageId, type Step, steps, summarize } from "./steps";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: TestServer;
let client: pg.Client;
let clock = 1_000;
let requests = 0;
beforeAll(async () => {
  database = await createDatabase();
  // Every reading of the clock differs, so that lists are in the order of the requests.
  server = await startServerOn(database.url, { now: () => clock++ });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.close();
  await database.drop();
});

const users = ["usr_a", "usr_b", "usr_c"];
const user = fc.constantFrom(...users);
const channelIds = ["room_x", "room_y", "room_z"];
const channelId = fc.constantFrom(...channelIds);
const word = fc.constantFrom("one", "two", "three");
/** A message, counted from the newest one. A channel may have fewer. */
const index = fc.integer({ min: 0, max: 3 });
const optionalIndex = fc.option(index, { nil: undefined });
const metaKeys = [..."abcdefghijkl"];

const meta = fc.dictionary(fc.constantFrom(...metaKeys), word, { maxKeys: 8 });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(user, word).map((args) => steps.createUser(...args)),
  fc.tuple(user, word).map((args) => steps.updateUser(...args)),
  user.map(steps.getUser),
  user.map(steps.deleteUser),
  fc.tuple(user, meta).map((args) => steps.mergeMeta(...args)),
  fc
    .uniqueArray(fc.record({ user_id: user, name: word, meta }), {
      minLength: 1,
      selector: ({ user_id }) => user_id,
    })
    .map(steps.upsertMany),
  fc.tuple(user, fc.subarray(metaKeys)).map((args) => steps.deleteMeta(...args)),
  fc.constant(steps.listUsers()),
  fc
    .tuple(channelId, fc.array(user, { maxLength: 3 }), fc.boolean())
    .map((args) => steps.createChannel(...args)),
  channelId.map(steps.getChannel),
  fc.tuple(channelId, fc.boolean()).map((args) => steps.freeze(...args)),
  channelId.map(steps.deleteChannel),
  fc.tuple(channelId, user).map((args) => steps.join(...args)),
  fc.tuple(channelId, fc.subarray(users, { minLength: 1 })).map((args) => steps.addMany(...args)),
  fc.tuple(channelId, user).map((args) => steps.leave(...args)),
  fc.tuple(channelId, user).map((args) => steps.addManager(...args)),
  fc.tuple(channelId, user).map((args) => steps.removeManager(...args)),
  fc
    .tuple(channelId, fc.constantFrom("members" as const, "managers" as const))
    .map((args) => steps.list(...args)),
  fc.tuple(channelId, user, word).map((args) => steps.send(...args)),
  fc.tuple(fc.subarray(channelIds, { minLength: 1 }), user, word).map((args) => steps.sendMany(...args)),
  channelId.map(steps.export),
  fc.tuple(channelId, index, word).map((args) => steps.edit(...args)),
  fc.tuple(channelId, index).map((args) => steps.deleteMessage(...args)),
  fc.tuple(channelId, index).map((args) => steps.getMessage(...args)),
  fc
    .tuple(channelId, optionalIndex, fc.integer({ min: 1, max: 3 }))
    .map((args) => steps.listMessages(...args)),
  fc.tuple(channelId, user, optionalIndex).map((args) => steps.markRead(...args)),
  user.map(steps.inbox),
  user.map(steps.unread),
);

/** Creates users that most steps need, and a channel with messages. */
const initialSteps: readonly Step[] = [
  ...["usr_a", "usr_b"].map((id) => steps.createUser(id, id)),
  steps.createChannel("room_x", ["usr_a", "usr_b"], false),
  ...["one", "two", "three"].map((content) => steps.send("room_x", "usr_a", content)),
];

async function listIds(channel: string): Promise<string[]> {
  const { body } = await call(server.url, "GET", `/v1/group/channels/${channel}/messages?limit=100`);
  return (body.messages ?? []).map(({ message_id }: { message_id: string }) => message_id);
}

test("any sequence of operations gives the responses of a simple model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (sequence) => {
      await client.query(
        "DELETE FROM messages; DELETE FROM members; DELETE FROM managers; DELETE FROM channels; DELETE FROM users",
      );
      const model = new Model();
      const history: string[] = [];
      for (const step of [...initialSteps, ...sequence]) {
        const [method, path, body] = await fillMessageId(step.request, listIds);
        history.push(step.name);
        requests++;
        const reply = await call(server.url, method, path, body === undefined ? {} : { body });
        expect(summarize(step, reply), history.join("; ")).toEqual(step.expected(model));
      }
    }),
    { numRuns: scale(50, 10_000), seed: Number(process.env.MADANG_SEED ?? 7) },
  );
  const { violations } = await checkData(database.url);
  await report({
    fault: "sequences of operations against a model",
    load: `${scale(50, 10_000).toLocaleString("en-US")} sequences`,
    sent: requests,
    acknowledged: requests,
    wrong: violations.length,
  });
  expect(violations).toEqual([]);
});
