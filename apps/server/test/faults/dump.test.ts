import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrate } from "../../src/db/migrate";
import { judge } from "../properties/judge";
import { call } from "../support/call";
import { findInstalled, run, startInstalled } from "./installed-postgres";
import { prepareCrowd, rooms, startLoad } from "./load";
import { startProcess } from "./process";

const programs = await findInstalled();
const exportOf = (query: string) => `/v1/exports/group/channels/${rooms[0]}/messages?${query}`;

// pg_dump refuses a server newer than itself, so the server is of the same installation.
test.skipIf(programs === undefined)(
  "what pg_dump took and pg_restore brought to an empty PostgreSQL answers the same",
  async () => {
    if (programs === undefined) return;
    const folder = await mkdtemp(join(tmpdir(), "madang-dump-"));
    const file = join(folder, "dump");
    const first = await startInstalled(programs);
    await migrate(first.url);
    let server = await startProcess(first.url);
    await prepareCrowd(server.url);
    const load = startLoad({ url: () => server.url, writers: 8 });
    while (load.acknowledged() < 60) await new Promise((resolve) => setTimeout(resolve, 20));
    await load.stop();
    const send = (content: string) => ({
      idempotencyKey: `key of ${content}`.replaceAll(" ", "_"),
      body: { user_id: "crowd_a", type: "text", content },
    });
    for (let count = 0; count < 110; count++)
      await call(server.url, "POST", `/v1/group/channels/${rooms[0]}/messages`, send(`more ${count}`));
    const { body: sub } = await call(server.url, "POST", "/v1/applications/keys");
    const replay = () => call(server.url, "POST", `/v1/group/channels/${rooms[0]}/messages`, send("more 0"));
    const { body: page } = await call(server.url, "GET", exportOf("limit=100"));
    const next = exportOf(`next=${encodeURIComponent(page.next)}`);
    const look = async () => ({
      export: (await call(server.url, "GET", next, { key: sub.key })).body,
      keys: (await call(server.url, "GET", "/v1/applications/keys")).body,
      users: (await call(server.url, "GET", "/v1/users?limit=30")).body.users,
      channels: (await call(server.url, "GET", "/v1/group/channels?limit=30")).body.channels,
      replayed: (await replay()).body,
    });
    const before = await look();
    await run(join(programs, "pg_dump"), ["--format=custom", `--file=${file}`, first.url]);
    await server.end("SIGTERM");
    await first.stop();

    const second = await startInstalled(programs);
    await run(join(programs, "pg_restore"), ["--exit-on-error", `--dbname=${second.url}`, file]);
    // It finds its migrations recorded, and starts without being told to migrate.
    server = await startProcess(second.url);
    expect(before.export.messages.length).toBeGreaterThan(9);
    expect(await look()).toEqual(before);
    expect((await replay()).headers.get("Idempotent-Replayed")).toBe("true");
    // And it goes on: what is new gets numbers of its own.
    const { status } = await call(
      server.url,
      "POST",
      `/v1/group/channels/${rooms[0]}/messages`,
      send("after the restore"),
    );
    expect(status).toBe(201);
    expect(await judge(second.url, load)).toEqual({ lost: 0, doubled: 0, broken: [] });
    await server.end("SIGTERM");
    await second.stop();
    await rm(folder, { recursive: true });
  },
);
