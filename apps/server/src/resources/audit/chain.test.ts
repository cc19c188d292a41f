import { hash } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";
import { withConnection } from "../../db/with-connection";
import { addEntries } from "../../write/entries-store";
import { chainEntries, chainStep, sweepExpiredEntries } from "./chain-store";
import { type NotedEnd, verifyChain } from "./verify-store";

const server = await startServer();
afterAll(() => server.close());
const { db, databaseUrl } = server;

const run = (text: string) => withConnection(databaseUrl, (client) => client.query(text));
const verify = (noted?: NotedEnd) => verifyChain(databaseUrl, noted);

const entry = JSON.stringify({
  operation: "users.delete",
  method: "DELETE",
  status: 200,
  kind: "master",
  actor: "민지",
  address: "127.0.0.1",
  user_id: "kim_01",
});

beforeEach(async () => {
  await run("TRUNCATE audit_entries, audit_chains, queued_audit_entries");
  for (let count = 0; count < 10; count++) await addEntries(db, [entry]);
  await chainEntries(db);
});

test("an intact chain has no faults", async () => {
  expect(await verify()).toMatchObject({ entries: 10, first: 1, last: 10, queued: 0, faults: [] });
});

// Operators verify the chain with programs of their own, so the order of the values never changes.
test("the hash covers the previous hash and the values in the order of the guide", async () => {
  const { rows } = await run("SELECT at, hash FROM audit_entries ORDER BY number LIMIT 1");
  const [first] = rows;
  const who = [null, "민지", null, "127.0.0.1", "kim_01", null, null];
  const values = [1, Number(first?.at), "users.delete", "DELETE", 200, null, "master", ...who];
  const covered = Buffer.concat([Buffer.alloc(32), Buffer.from(JSON.stringify(values))]);
  expect(first?.hash.toString("hex")).toBe(hash("sha256", covered));
});

const altered = "Entry 4 does not match its hash: it, or the one before it, was altered or inserted.";
const columns =
  "at, operation, method, status, code, kind, key_id, actor, reason, address, user_id, channel_id, message_id";

test.each([
  ["one altered byte", "UPDATE audit_entries SET actor = '민자' WHERE number = 4", [altered]],
  ["an altered time", "UPDATE audit_entries SET at = at + 1 WHERE number = 4", [altered]],
  [
    "an altered hash",
    "UPDATE audit_entries SET hash = sha256('') WHERE number = 3",
    [altered.replace("4", "3"), altered],
  ],
  ["a removed entry", "DELETE FROM audit_entries WHERE number = 4", ["Entry 4 is missing."]],
  [
    "several removed entries",
    "DELETE FROM audit_entries WHERE number IN (4, 5)",
    ["The entries 4 to 5 are missing."],
  ],
  ["the removed first entry", "DELETE FROM audit_entries WHERE number = 1", ["Entry 1 is missing."]],
  ["the removed last entry", "DELETE FROM audit_entries WHERE number = 10", ["Entry 10 is missing."]],
  [
    "an entry that was appended",
    `INSERT INTO audit_entries (number, ${columns}, hash) SELECT 11, ${columns}, hash FROM audit_entries WHERE number = 1`,
    ["Entry 11 was inserted: the chain has the numbers from 1 to 10."],
  ],
  [
    "an entry that was inserted in place of another",
    `UPDATE audit_entries SET user_id = 'lee_02', hash = sha256('') WHERE number = 10`,
    [altered.replace("4", "10"), "The last entry is not the one with which the chain ends."],
  ],
  [
    "an entry that was inserted while the later ones were renumbered",
    `UPDATE audit_entries SET number = -number WHERE number >= 4;
     UPDATE audit_entries SET number = 1 - number WHERE number < 0;
     INSERT INTO audit_entries (number, ${columns}, hash) SELECT 4, ${columns}, hash FROM audit_entries WHERE number = 3`,
    [altered],
  ],
])("%s is found", async (_, sql, faults) => {
  await run(sql);
  expect((await verify()).faults).toEqual(expect.arrayContaining(faults));
});

test("an end that was noted reveals a chain that was computed anew", async () => {
  const { last: number, hash } = await verify();
  await addEntries(db, [entry]);
  await chainEntries(db);
  expect((await verify({ number, hash })).faults).toEqual([]);
  await run("TRUNCATE audit_entries, audit_chains");
  for (let count = 0; count < 12; count++) await addEntries(db, [entry]);
  await chainEntries(db);
  expect((await verify()).faults).toEqual([]);
  expect((await verify({ number, hash })).faults).toEqual([
    "Entry 10 has another hash than the one that was noted: the chain was replaced.",
  ]);
  expect((await verify({ number: 13, hash })).faults).toEqual(["Entry 13, which was noted, is missing."]);
});

test("an entry that is committed after later ones were chained joins the chain", async () => {
  await withConnection(databaseUrl, async (client) => {
    await client.query("BEGIN");
    await client.query("INSERT INTO queued_audit_entries (entry) VALUES ($1)", [
      entry.replace("kim_01", "late_1"),
    ]);
    await addEntries(db, [entry]);
    await chainEntries(db);
    expect(await verify()).toMatchObject({ entries: 11, faults: [] });
    await client.query("COMMIT");
  });
  await chainEntries(db);
  expect(await verify()).toMatchObject({ entries: 12, queued: 0, faults: [] });
  const { body } = await call(server.url, "GET", "/v1/audit?user_id=late_1");
  expect(body.entries).toMatchObject([{ entry_id: "12" }]);
});

test("processes that chain at the same time make one chain", async () => {
  for (let round = 0; round < 20; round++) {
    await Promise.all([
      ...Array.from({ length: 8 }, () => addEntries(db, [entry])),
      chainStep(db, { waitsForLock: false }),
      chainStep(db, { waitsForLock: false }),
      chainStep(db, { waitsForLock: true }),
    ]);
  }
  await chainEntries(db);
  expect(await verify()).toMatchObject({ entries: 170, last: 170, queued: 0, faults: [] });
});

test("entries that have expired leave a chain that can be verified", async () => {
  const day = 86_400_000;
  await run(`UPDATE audit_entries SET at = at - ${3 * day} WHERE number <= 4`);
  // The times are part of the hashes.
  expect((await verify()).faults).toHaveLength(4);
  while (await sweepExpiredEntries(db, 2 * day));
  expect(await verify()).toMatchObject({ entries: 6, first: 5, last: 10, faults: [] });
  await sweepExpiredEntries(db, -day);
  expect(await verify()).toMatchObject({ entries: 0, first: 11, last: 10, faults: [] });
  await addEntries(db, [entry]);
  await chainEntries(db);
  expect(await verify()).toMatchObject({ entries: 1, first: 11, last: 11, faults: [] });
});
