import { afterAll, beforeAll, expect, test } from "vitest";
import { callPatiently } from "../support/call";
import { checkData } from "../support/check-data";
import { scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { type Rival, startRival } from "./rival";

const clients = 32;
const rounds = scale(4, 60);
const stepsEach = 12;

let here: TestServer;
let other: Rival;
beforeAll(async () => {
  here = await startServer();
  other = await startRival(here.databaseUrl);
  for (const user_id of people)
    expect((await post(0, "/v1/users", { user_id, name: user_id })).status).toBe(201);
});
afterAll(async () => {
  await other.close();
  await here.close();
});

const people = ["kim_01", "lee_02", "park_03"];

/** To one of the two processes. */
const request = (index: number, method: string, path: string, body?: object) =>
  callPatiently((index % 2 === 0 ? here : other).url, method, path, { ...(body && { body }) });
const post = (index: number, path: string, body: object) => request(index, "POST", path, body);

/** Sends and imports replies to the same messages, deletes them, and the messages. Returns how many were rejected. */
async function reply(client: number, channel: string, parents: readonly string[]): Promise<number> {
  const path = `/v1/group/channels/${channel}`;
  const user_id = people[client % people.length];
  const own: string[] = [];
  let rejected = 0;
  for (let step = 0; step < stepsEach; step++) {
    const choice = Math.random();
    const index = Math.floor(Math.random() * parents.length);
    const message = { user_id, type: "text", content: `${client} ${step}`, mentions: people };
    if (choice < 0.5) {
      const sent = await post(client, `${path}/messages`, { ...message, reply_to: parents[index] });
      expect([201, 404]).toContain(sent.status);
      if (sent.status === 201) own.push(sent.body.message_id);
      else rejected += 1;
    } else if (choice < 0.7) {
      const reply_to = `parent-${index}`;
      // Half of them compete for the same external_id, with another message to reply to.
      const external_id = step % 2 === 0 ? `shared-${step}` : `${client}-${step}`;
      const near = {
        ...message,
        external_id: `near-${client}-${step}`,
        reply_to: external_id,
        created_at: 2,
      };
      const messages = [{ ...message, external_id, reply_to, created_at: 1 }, near];
      const imported = await post(client, `${path.replace("/v1/", "/v1/imports/")}/messages`, { messages });
      expect([200, 404]).toContain(imported.status);
      if (imported.status === 404) rejected += 1;
    } else if (choice < 0.97) {
      const [first] = own.splice(0, 1);
      if (first !== undefined)
        expect((await request(client, "DELETE", `${path}/messages/${first}`)).status).toBe(200);
    } else {
      const gone = await request(client, "DELETE", `${path}/messages/${parents[index]}`);
      expect([200, 404]).toContain(gone.status);
    }
  }
  return rejected;
}

test("reply counts equal the replies, while these are sent, imported and deleted with their messages in two processes", async () => {
  let rejected = 0;
  for (let round = 0; round < rounds; round++) {
    const channel = `replies_${round}`;
    const path = `/v1/group/channels/${channel}`;
    await post(0, "/v1/group/channels", { channel_id: channel, name: "Race", members: people, reuse: false });
    const messages = [0, 1, 2, 3].map((index) => ({
      external_id: `parent-${index}`,
      user_id: people[0],
      type: "text",
      content: "Noon?",
      created_at: index,
    }));
    await post(0, `${path.replace("/v1/", "/v1/imports/")}/messages`, { messages });
    const { body } = await request(0, "GET", `${path}/messages`);
    const parents = body.messages.map(({ message_id }: { message_id: string }) => message_id).reverse();
    const each = Array.from({ length: clients }, (_, client) => reply(client, channel, parents));
    rejected += (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
  }
  expect((await checkData(here.databaseUrl)).violations).toEqual([]);
  expect(rejected).toBeGreaterThan(0);
});
