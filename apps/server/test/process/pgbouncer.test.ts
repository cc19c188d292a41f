import { ChatClient } from "@madang/client";
import { limits } from "@madang/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../src/db/connect";
import { migrate } from "../../src/db/migrations/migrate";
import { type ServerProcess, startProcess } from "../faults/process";
import { checkData } from "../support/check-data";
import { createDatabase, postgresUrl } from "../support/database";
import {
  hasPgbouncer,
  keepsStatements,
  type Pgbouncer,
  readGuide,
  startPgbouncer,
} from "../support/pgbouncer";
import { runProgram } from "../support/program";
import { queryOnce } from "../support/query-once";
import { masterKey } from "../support/server";
import { createUsers, numbered, outcomes } from "../support/users";

const postgres = await postgresUrl();

/** Enough for a busy machine. */
const settings = { MADANG_STATEMENT_TIMEOUT_MS: "20000", MADANG_SLOW_STATEMENT_MS: "20000" };

/** Starts the server, which is expected to end, and returns its exit code and its error. */
async function failToStart(url: string): Promise<{ code: unknown; message: string }> {
  const env = { DATABASE_URL: url, MADANG_MASTER_KEY: masterKey, ...settings };
  const { code, output } = await runProgram(["start"], env).ended;
  return { code, message: output };
}

describe.skipIf(!hasPgbouncer)(
  "through PgBouncer, as in the deployment guide (skipped without PgBouncer)",
  () => {
    let database: Awaited<ReturnType<typeof createDatabase>>;
    let pgbouncer: Pgbouncer | undefined;
    beforeEach(async () => {
      database = await createDatabase();
    });
    const servers: ServerProcess[] = [];
    afterEach(async () => {
      // Those of a failed test.
      for (const server of servers.splice(0)) await server.end("SIGKILL");
      await pgbouncer?.stop();
      await database.drop();
    });

    /** Returns the URL of the database through PgBouncer. */
    async function start(lines: readonly string[]): Promise<string> {
      pgbouncer = await startPgbouncer(postgres, lines);
      return pgbouncer.through(database.url);
    }

    /** Sets the role up with the statements that the server prints. */
    async function setUp(url: string): Promise<void> {
      const { code, message } = await failToStart(url);
      const [, statements = ""] = /then reconnect the pooler: (ALTER ROLE .*;)\n$/.exec(message) ?? [];
      expect([code, message]).toEqual([2, expect.stringMatching(/^madang-server: DATABASE_URL .*\n$/)]);
      expect(statements).toContain("SET statement_timeout = '20000';");
      await queryOnce(database.url, statements);
      await pgbouncer?.reconnect();
    }

    test("without ignore_startup_parameters, the server names it", async () => {
      const lines = (await readGuide()).filter((line) => !line.startsWith("ignore_startup_parameters"));
      const { code, message } = await failToStart(await start(lines));
      expect(message).toContain("Add ignore_startup_parameters = options to its configuration");
      expect(code).toBe(2);
    });

    test.skipIf(keepsStatements)("a version that drops prepared statements is rejected", async () => {
      const url = await start(await readGuide());
      await setUp(url);
      const { code, message } = await failToStart(url);
      expect(message).toContain("Use PgBouncer 1.21 or later with max_prepared_statements above 0");
      expect(code).toBe(2);
    });

    test.runIf(keepsStatements)("without max_prepared_statements, the server names it", async () => {
      const lines = (await readGuide()).filter((line) => !line.startsWith("max_prepared_statements"));
      const url = await start([...lines, "max_prepared_statements = 0"]);
      await setUp(url);
      const { code, message } = await failToStart(url);
      expect(message).toContain("max_prepared_statements above 0");
      expect(code).toBe(2);
    });

    test("two processes serve concurrent clients on few connections, and receive each other's events", async () => {
      // In session mode, each connection of the servers needs its own.
      const [mode, poolSize] = keepsStatements ? ["transaction", 4] : ["session", 60];
      const lines = [...(await readGuide()), `pool_mode = ${mode}`, `default_pool_size = ${poolSize}`];
      const url = await start(lines);
      await setUp(url);
      const both = [await startProcess(url, settings), await startProcess(url, settings)] as const;
      servers.push(...both);
      const chatOf = ({ url: baseUrl }: ServerProcess) =>
        new ChatClient({ baseUrl, apiKey: masterKey, maxRetries: 0 });
      await runJourney([chatOf(both[0]), chatOf(both[1])], both);
      const opened = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
      // One of them counts.
      expect(await readCount(opened)).toBeLessThanOrEqual(poolSize + 1);
      await Promise.all(servers.map((server) => server.end("SIGTERM")));
      expect(await checkData(database.url)).toEqual({ lost: 0, duplicated: 0, violations: [] });
    });

    test.runIf(keepsStatements)(
      "a statement that was prepared before a migration of its columns runs after it",
      async () => {
        const url = await start([...(await readGuide()), "default_pool_size = 1"]);
        const limits = { statementTimeoutMs: 20_000, connectTimeoutMs: 20_000, maxConnections: 2 };
        const db = connect({ url, ...limits, onIdleError: () => undefined });
        const read = { name: "read", text: "SELECT count FROM things" };
        await queryOnce(database.url, "CREATE TABLE things AS SELECT 1 AS count");
        expect(await db.query(read)).toEqual([{ count: 1 }]);
        await queryOnce(database.url, "ALTER TABLE things ALTER COLUMN count TYPE bigint");
        expect(await db.query(read)).toEqual([{ count: 1 }]);
        await db.close();
      },
    );

    test("several processes migrate an empty database concurrently, and leave no lock", async () => {
      await start(await readGuide());
      const empty = `${new URL(database.url).pathname.slice(1)}_empty`;
      await queryOnce(database.url, `CREATE DATABASE ${empty}`);
      const url = Object.assign(new URL(pgbouncer?.through(database.url) ?? ""), { pathname: empty }).href;
      const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
      const names = applied.flat();
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
      expect(await readCount("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", url)).toBe(0);
      await queryOnce(database.url, `DROP DATABASE ${empty} WITH (FORCE)`);
    });

    async function readCount(sql: string, url = database.url): Promise<number> {
      const [found] = await queryOnce(url, sql);
      return Number(found?.count);
    }
  },
);

/** What depends on sessions: limits under locks, transactions, statements that run often, and notifications. */
async function runJourney(
  [chat, other]: readonly [ChatClient, ChatClient],
  servers: readonly ServerProcess[],
): Promise<void> {
  const ids = numbered("user", limits.membersPerChannel + 4);
  const fromBoth = <Result>(work: (chat: ChatClient, id: string) => Promise<Result>) =>
    ids.map((id, index) => work(index % 2 === 0 ? chat : other, id));
  await createUsers(chat, ids);
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: [] });
  const joins = await outcomes(fromBoth((from, id) => from.channels.members.join("room_1", id)));
  expect(Object.fromEntries(joins)).toEqual({ ok: limits.membersPerChannel, member_limit_exceeded: 4 });
  const pair = { name: "Pair", members: ids.slice(0, 2), reuse: true };
  const pairs = await Promise.all(
    fromBoth((from, channel_id) => from.channels.create({ ...pair, channel_id })),
  );
  expect(new Set(pairs.map(({ channel }) => channel.channel_id)).size).toBe(1);

  const { next } = await other.events.list({ after: "latest" });
  const members = (await chat.channels.members.list("room_1")).map(({ user_id }) => user_id);
  await Promise.all(
    members.map((user_id) => chat.messages.send("room_1", { user_id, type: "text", content: user_id })),
  );
  const received = new Set<string>();
  for await (const event of other.events.listen({ after: next, types: ["message.created"] }))
    if (received.add(event.cursor).size === members.length) break;
  const exported = await other.exports.messages("room_1").toArray({ max: members.length + 1 });
  expect(exported.map((message) => (message.type === "text" ? message.content : "")).sort()).toEqual(
    members.sort(),
  );
  await chat.users.delete(ids[0] ?? "");
  for (const server of servers) expect(server.problems()).toEqual([]);
}
