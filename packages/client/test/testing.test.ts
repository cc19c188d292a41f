import { operations } from "@madang/contract";
import { type Interaction, listInteractions, volatileFields, worldTime } from "@madang/contract-tests";
import { describe, expect, test } from "vitest";
import { ChatClient, type ClientOptions } from "../src/index";
import { handlers } from "../src/testing/handlers";
import { FakeService } from "../src/testing/index";

function start(options: Partial<ClientOptions> = {}) {
  const service = new FakeService();
  const chat = new ChatClient({
    baseUrl: "http://fake.test",
    apiKey: service.apiKey,
    fetch: service.fetch,
    ...options,
  });
  return { service, chat };
}

const kim = { user_id: "kim_01", name: "Kim" };

describe("responds to the recorded interactions as the service does", () => {
  const imitated = listInteractions().filter(({ operation }) => operation in handlers);
  const plain = imitated.filter(({ given = {}, request = {} }) => {
    const { settings, page, history, subKeys } = given;
    const isPlain = !settings && !page && !history && !subKeys;
    // The fake accepts what an SDK can send: JSON, each parameter once, with a key that exists.
    const isSendable = Object.keys(request).every((part) => ["params", "query", "body"].includes(part));
    const isSingle = Object.values(request.query ?? {}).every((value) => typeof value === "string");
    return isPlain && isSendable && isSingle && !JSON.stringify(request).includes('"<');
  });

  test("more than half of them are replayed", () => {
    expect(plain.length).toBeGreaterThan(imitated.length / 2);
  });

  test.each(plain)("$operation: $name", async ({ operation, ...interaction }) => {
    const service = new FakeService({ now: worldTime });
    await prepare(service, interaction);
    service.advance(60_000);
    const response = await replay(service, operation, interaction);
    expect(response).toEqual({
      status: interaction.response.status,
      body: hideVolatile(interaction.response.body),
    });
  });
});

async function prepare(service: FakeService, { given = {} }: Interaction): Promise<void> {
  const chat = new ChatClient({ baseUrl: "http://fake.test", apiKey: service.apiKey, fetch: service.fetch });
  const at = async <Value>(time: number | undefined, call: () => Promise<Value>) => {
    service.advance((time ?? worldTime) - service.now);
    return call();
  };
  for (const { at: time, ...user } of given.users ?? []) await at(time, () => chat.users.create(user));
  for (const channel of given.channels ?? []) {
    const {
      at: time = worldTime,
      members = [],
      managers = [],
      formerMembers = [],
      formerManagers = [],
    } = channel;
    const { channel_id, name, profile_url, meta, frozen } = channel;
    await at(time, () => chat.channels.create({ channel_id, name, profile_url, meta, members: [] }));
    for (const member of formerMembers) {
      await at(time, () => chat.channels.members.join(channel_id, member));
      await chat.channels.members.leave(channel_id, member);
    }
    for (const [index, member] of members.entries())
      await at(time + index, () => chat.channels.members.join(channel_id, member));
    for (const [index, manager] of managers.entries())
      await at(time + index, () => chat.channels.managers.add(channel_id, manager));
    for (const manager of formerManagers) {
      await at(time, () => chat.channels.managers.add(channel_id, manager));
      await chat.channels.managers.remove(channel_id, manager);
    }
    if (frozen) await at(time, () => chat.channels.freeze(channel_id, true));
  }
  for (const { channel_id, at: time, file, content = "", ...message } of given.messages ?? [])
    await at(time, () =>
      chat.messages.send(
        channel_id,
        file ? { ...message, type: "file", file } : { ...message, type: "text", content },
      ),
    );
  for (const id of given.deletedUsers ?? []) await chat.users.delete(id);
  for (const id of given.deletedChannels ?? []) await chat.channels.delete(id);
  service.advance(worldTime - service.now);
}

async function replay(service: FakeService, id: string, { request = {} }: Interaction) {
  const route = operations.find((operation) => operation.id === id)?.route;
  const path = route?.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(request.params?.[name] ?? ""));
  const query = new URLSearchParams(request.query as Record<string, string>);
  const response = await service.fetch(`http://fake.test${path}?${query}`, {
    method: route?.method ?? "GET",
    headers: { authorization: `Bearer ${service.apiKey}` },
    ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    redirect: "manual",
    signal: new AbortController().signal,
  });
  const text = await response.text();
  return { status: response.status, body: hideVolatile(text === "" ? undefined : JSON.parse(text)) };
}

/** Sentences and ids that differ from run to run are replaced by their type. */
function hideVolatile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideVolatile);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    volatileFields.has(name) || name === "type" || name === "title" ? typeof part : hideVolatile(part),
  ]);
  return Object.fromEntries(entries);
}

test("lists in both variants, with a cursor and by reference user", async () => {
  const { service, chat } = start();
  for (let number = 10; number < 50; number++)
    await chat.users.create({ user_id: `user_${number}`, name: "Kim" });
  const byCursor = await chat.users.list({ pageSize: 7 }).toArray();
  service.userList = "reference";
  const byReference = await chat.users.list({ pageSize: 7 }).toArray();
  expect(byCursor).toHaveLength(40);
  expect(byReference).toEqual(byCursor);
});

test("an export of a day of 25 hours contains everything that was sent on it", async () => {
  const { service, chat } = start();
  await chat.users.create(kim);
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  service.advance(Date.parse("2024-11-03T03:30:00Z") - service.now);
  for (let hour = 0; hour < 27; hour++) {
    await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: String(hour) });
    service.advance(3_600_000);
  }
  const day = { start_date: "2024-11-03", end_date: "2024-11-03", timezone: "America/New_York" };
  expect(await chat.exports.messages("room_1", day).toArray()).toHaveLength(25);
});

test("a response that breaks off is retried, and the request takes effect once", async () => {
  const { service, chat } = start();
  await chat.users.create(kim);
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  service.failNext({ kind: "cut" });
  await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hi" });
  expect(await chat.exports.messages("room_1").toArray()).toHaveLength(1);
  expect(service.requests.filter(({ operation }) => operation === "messages.send")).toHaveLength(2);
});

test("stalls, resets, error responses and repeated cursors happen on demand", async () => {
  const { service, chat } = start({ maxRetries: 0, timeout: 50 });
  await chat.users.create(kim);
  service.failNext(
    { kind: "stall" },
    { kind: "reset" },
    { kind: "respond", status: 429, code: "rate_limited", retryAfterSeconds: 7 },
  );
  await expect(chat.users.get("kim_01")).rejects.toMatchObject({ kind: "timeout" });
  await expect(chat.users.get("kim_01")).rejects.toMatchObject({ kind: "connection" });
  await expect(chat.users.get("kim_01")).rejects.toMatchObject({ status: 429, retryAfterMs: 7_000 });
  service.repeatsCursor = true;
  await expect(chat.users.list().toArray()).rejects.toMatchObject({ kind: "pagination" });
});

test("a recorded request has its body as an object", async () => {
  const { service, chat } = start();
  await chat.users.create(kim);
  await chat.users.get("kim_01");
  expect(service.requests).toMatchObject([
    { operation: "users.create", method: "POST", path: "/v1/users", body: kim, status: 201 },
    { operation: "users.get", body: undefined },
  ]);
});

test("sub keys are accepted until they are deleted, except for operations on sub keys", async () => {
  const { service, chat } = start();
  const { key } = await chat.keys.create();
  const sub = new ChatClient({ baseUrl: "http://fake.test", apiKey: key, fetch: service.fetch });
  await sub.users.create(kim);
  await expect(sub.keys.list()).rejects.toMatchObject({ code: "master_key_required" });
  await chat.keys.delete(key);
  await expect(sub.users.get("kim_01")).rejects.toMatchObject({ code: "unauthenticated" });
});
