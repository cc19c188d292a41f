import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { isLong, report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [TestServer, TestServer];
let client: pg.Client;
const clear =
  "DELETE FROM messages; DELETE FROM members; DELETE FROM managers; DELETE FROM channels; DELETE FROM users";
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startServerOn(database.url), startServerOn(database.url)]);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
beforeEach(() => client.query(clear));
afterAll(async () => {
  await client.end();
  for (const server of servers) await server.close();
  await database.drop();
});

interface Page {
  readonly ids: readonly string[];
  /** The path of the next page. Undefined on the last page. */
  readonly next: string | undefined;
}

/** A list of the interface: how to insert its rows and request its pages. */
interface List {
  readonly name: string;
  /** By default the newest row comes first. */
  readonly isOldestFirst?: true;
  readonly prepare: () => Promise<unknown>;
  /** Inserts rows with these times, which may be equal. */
  readonly insert: (ids: readonly string[], times: readonly number[]) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
  readonly edit?: (id: string) => Promise<unknown>;
  readonly first: (size: number) => string;
  readonly read: (body: ReturnType<typeof JSON.parse>, size: number) => Page;
}

const userRows = {
  prepare: async () => undefined,
  insert: (ids: readonly string[], times: readonly number[]) =>
    client.query(
      `INSERT INTO users (user_id, name, created_at, updated_at)
       SELECT id, 'Page', time, time FROM unnest($1::text[], $2::bigint[]) AS row (id, time)`,
      [ids, times],
    ),
  remove: (id: string) => client.query("UPDATE users SET deleted_at = 1 WHERE user_id = $1", [id]),
};
const idsOf = (users: { user_id: string }[]) => users.map(({ user_id }) => user_id);

const messagesPath = "/v1/group/channels/room/messages";

const messageRows = {
  prepare: async () => {
    await userRows.insert(["sender"], [1]);
    await client.query(
      `INSERT INTO channels (channel_id, name, created_at, updated_at) VALUES ('room', 'Room', 1, 1)`,
    );
  },
  insert: (ids: readonly string[], times: readonly number[]) =>
    client.query(
      `INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
       SELECT c.pk, u.pk, 'text', id, time, time FROM unnest($1::text[], $2::bigint[]) AS row (id, time), channels c, users u`,
      [ids, times],
    ),
  remove: (id: string) => changeMessage("DELETE", id),
  edit: (id: string) => changeMessage("PUT", id, { meta: { edited: "yes" } }),
};

/** Edits or deletes a message by its content, if it still exists. */
async function changeMessage(method: string, content: string, body?: object): Promise<void> {
  const { rows } = await client.query(
    "SELECT created_at || '-' || pk AS id FROM messages WHERE content = $1",
    [content],
  );
  if (rows[0] === undefined) return;
  const { status } = await call(
    servers[0].url,
    method,
    `${messagesPath}/${rows[0].id}`,
    body === undefined ? {} : { body },
  );
  expect(status).toBe(200);
}

const contentsOf = (messages: { content: string }[]) => messages.map(({ content }) => content);

const lists: readonly List[] = [
  {
    ...userRows,
    name: "users by cursor",
    first: (size) => `/v1/users?limit=${size}`,
    read: ({ users, next }) => ({
      ids: idsOf(users),
      next: next === undefined ? undefined : `/v1/users?next=${encodeURIComponent(next)}`,
    }),
  },
  {
    ...userRows,
    name: "users by the beginning of their name",
    // By name, which all of them share, then oldest first.
    isOldestFirst: true,
    first: (size) => `/v1/users?limit=${size}&name_prefix=Pa`,
    read: ({ users, next }) => ({
      ids: idsOf(users),
      next: next === undefined ? undefined : `/v1/users?next=${encodeURIComponent(next)}`,
    }),
  },
  {
    ...userRows,
    name: "users by a word of their name, while names change",
    isOldestFirst: true,
    remove: (id: string) => client.query("UPDATE users SET name = 'Zoe' WHERE user_id = $1", [id]),
    first: (size) => `/v1/users?limit=${size}&q=pAG`,
    read: ({ users, next }) => ({
      ids: idsOf(users),
      next: next === undefined ? undefined : `/v1/users?next=${encodeURIComponent(next)}`,
    }),
  },
  {
    ...userRows,
    name: "users by reference",
    first: (size) => `/v1/users?limit=${size}&base_user_id=anchor`,
    prepare: () => userRows.insert(["anchor"], [9_000_000]),
    read: (users, size) => ({
      ids: idsOf(users),
      next: users.length === 0 ? undefined : `/v1/users?limit=${size}&base_user_id=${idsOf(users).at(-1)}`,
    }),
  },
  {
    ...messageRows,
    name: "export",
    first: (size) => `/v1/exports/group/channels/room/messages?limit=${size}`,
    read: ({ messages, next }) => ({
      ids: contentsOf(messages),
      next:
        next === undefined
          ? undefined
          : `/v1/exports/group/channels/room/messages?next=${encodeURIComponent(next)}`,
    }),
  },
  {
    ...messageRows,
    name: "messages",
    first: (size) => `${messagesPath}?limit=${size}`,
    read: ({ messages, next }) => ({
      ids: contentsOf(messages),
      next: next === undefined ? undefined : `${messagesPath}?next=${encodeURIComponent(next)}`,
    }),
  },
];

/** Rows of which many have the same millisecond, and the changes between two pages. */
const scenario = (list: List) =>
  fc.record({
    size: list.name === "export" ? fc.integer({ min: 100, max: 130 }) : fc.integer({ min: 5, max: 30 }),
    times: fc.array(fc.integer({ min: 1, max: 6 }), {
      minLength: list.name === "export" ? 150 : 20,
      maxLength: list.name === "export" ? 500 : 120,
    }),
    changes: fc.array(
      fc.record({
        insertAt: fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }),
        removeIndex: fc.nat(),
        editIndex: fc.nat(),
      }),
      { maxLength: 12 },
    ),
  });

test.each(lists)(
  "$name: rows that exist throughout appear exactly once, in order, during inserts, edits and deletes",
  async (list) => {
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(scenario(list), async ({ size, times, changes }) => {
        await client.query(clear);
        await list.prepare();
        const ids = times.map((_, index) => `row_${index}`);
        await list.insert(ids, times);
        const removed = new Set<string>();
        const seen: string[] = [];
        let path: string | undefined = list.first(size);
        for (let count = 0; path !== undefined; count++) {
          // The two servers take turns.
          const { status, body } = await call(servers[count % 2 === 0 ? 0 : 1].url, "GET", path);
          expect(status).toBe(200);
          pages++;
          const page = list.read(body, size);
          seen.push(...page.ids);
          path = page.next;
          const change = changes[count];
          if (change === undefined) continue;
          await list.insert(
            change.insertAt.map((_, index) => `new_${count}_${index}`),
            change.insertAt,
          );
          const victim = ids[change.removeIndex % ids.length] ?? "";
          // A base user that was deleted is an error, which is not tested here.
          if (victim === page.ids.at(-1) && list.name === "users by reference") continue;
          await list.edit?.(ids[change.editIndex % ids.length] ?? "");
          removed.add(victim);
          await list.remove(victim);
        }
        const throughout = ids
          .map((id, index) => ({ id, time: times[index] ?? 0, index }))
          .filter(({ id }) => !removed.has(id))
          .sort((a, b) => b.time - a.time || b.index - a.index)
          .map(({ id }) => id);
        if (list.isOldestFirst) throughout.reverse();
        const stayed = new Set(throughout);
        expect(seen.filter((id) => stayed.has(id))).toEqual(throughout);
        expect(new Set(seen).size).toBe(seen.length);
      }),
      { numRuns: scale(12, 300) },
    );
    await report({
      fault: `paging under inserts, edits and deletes: ${list.name}`,
      load: `${scale(12, 300)} walks`,
      sent: pages,
      acknowledged: pages,
    });
  },
);

test("an export of 10,000 messages of one millisecond is complete and in order", async () => {
  const list = lists.find(({ name }) => name === "export");
  if (list === undefined) throw new Error("The export is missing.");
  await list.prepare();
  const ids = Array.from({ length: 10_000 }, (_, index) => `row_${index}`);
  await list.insert(
    ids,
    ids.map(() => 5),
  );
  const seen: string[] = [];
  let path: string | undefined = list.first(1_000);
  for (let count = 0; path !== undefined; count++) {
    const { body } = await call(servers[count % 2 === 0 ? 0 : 1].url, "GET", path);
    const page = list.read(body, 1_000);
    seen.push(...page.ids);
    path = page.next;
    await list.insert([`late_${count}`], [6]);
  }
  expect(seen).toEqual(ids.toReversed());
});

test("every mutated cursor is rejected with 400", async () => {
  await userRows.insert(
    Array.from({ length: 20 }, (_, index) => `user_${index}`),
    Array.from({ length: 20 }, (_, index) => index),
  );
  const { body } = await call(servers[0].url, "GET", "/v1/users?limit=5");
  const cursor: string = body.next;
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  const letter = fc.constantFrom(...alphabet);
  const position = fc.nat(cursor.length - 1);
  const mutant = fc.oneof(
    fc.tuple(position, letter).map(([at, to]) => cursor.slice(0, at) + to + cursor.slice(at + 1)),
    fc.tuple(position, letter).map(([at, more]) => cursor.slice(0, at) + more + cursor.slice(at)),
    position.map((at) => cursor.slice(0, at)),
    fc.tuple(position, position).map(([from, to]) => cursor.slice(from) + cursor.slice(0, to)),
    fc.string({ minLength: 1, maxLength: 300, unit: letter }),
    fc.string({ minLength: 1, maxLength: 50 }),
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      mutant.filter((text) => text !== cursor && text !== ""),
      async (text) => {
        count++;
        const reply = await call(servers[1].url, "GET", `/v1/users?next=${encodeURIComponent(text)}`);
        expect(reply.status).toBe(400);
      },
    ),
    { numRuns: scale(400, 10_000) },
  );
  await report({
    fault: "modified cursors, each to be rejected",
    load: "1 client",
    sent: count,
    acknowledged: count,
  });
  expect(isLong ? count >= 10_000 : count >= 400).toBe(true);
});
