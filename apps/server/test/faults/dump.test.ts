import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../src/db/migrations/migrate";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { findInstalled, run, startInstalled } from "./installed-postgres";
import { loadChannels, prepareLoad, startLoad } from "./load";
import { startProcess } from "./process";

const programs = await findInstalled();
const exportOf = (query: string) => `/v1/exports/group/channels/${loadChannels[0]}/messages?${query}`;

/** Reading itself uses a key. */
const withoutLastUse = (keys: readonly object[]) =>
  keys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => name !== "last_used_at")));

// pg_dump rejects a server that is newer than itself, so both are from the same installation.
test.skipIf(programs === undefined)(
  "a database restored with pg_dump and pg_restore gives the same responses",
  async () => {
    if (programs === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), "madang-dump-"));
    const file = join(folder, "dump");
    const first = await startInstalled(programs);
    await migrate(first.url);
    let server = await startProcess(first.url);
    await prepareLoad(server.url);
    const load = startLoad({ url: () => server.url, writers: 8 });
    while (load.acknowledged() < 60) await new Promise((resolve) => setTimeout(resolve, 20));
    await load.stop();
    const send = (content: string) => ({
      idempotencyKey: `key of ${content}`.replaceAll(" ", "_"),
      body: { user_id: "crowd_a", type: "text", content },
    });
    for (let count = 0; count < 110; count++)
      await call(server.url, "POST", `/v1/group/channels/${loadChannels[0]}/messages`, send(`more ${count}`));
    const { body: sub } = await call(server.url, "POST", "/v1/applications/keys");
    const replay = () =>
      call(server.url, "POST", `/v1/group/channels/${loadChannels[0]}/messages`, send("more 0"));
    const { body: page } = await call(server.url, "GET", exportOf("limit=100"));
    const next = exportOf(`next=${encodeURIComponent(page.next)}`);
    const readAll = async () => ({
      export: (await call(server.url, "GET", next, { key: sub.key })).body,
      keys: withoutLastUse((await call(server.url, "GET", "/v1/applications/keys")).body),
      users: (await call(server.url, "GET", "/v1/users?limit=30")).body.users,
      channels: (await call(server.url, "GET", "/v1/group/channels?limit=30")).body.channels,
      replayed: (await replay()).body,
    });
    const before = await readAll();
    await run(join(programs, "pg_dump"), ["--format=custom", `--file=${file}`, first.url]);
    await server.end("SIGTERM");
    await first.stop();

    const second = await startInstalled(programs);
    await run(join(programs, "pg_restore"), ["--exit-on-error", `--dbname=${second.url}`, file]);
    // The migrations are recorded, so it starts without --migrate.
    server = await startProcess(second.url);
    expect(before.export.messages.length).toBeGreaterThan(9);
    expect(await readAll()).toEqual(before);
    expect((await replay()).headers.get("Idempotent-Replayed")).toBe("true");
    // New rows get new primary keys.
    const { status } = await call(
      server.url,
      "POST",
      `/v1/group/channels/${loadChannels[0]}/messages`,
      send("after the restore"),
    );
    expect(status).toBe(201);
    expect(await checkData(second.url, load)).toEqual({ lost: 0, duplicated: 0, violations: [] });
    await server.end("SIGTERM");
    await second.stop();
    await rm(folder, { recursive: true });
  },
);
