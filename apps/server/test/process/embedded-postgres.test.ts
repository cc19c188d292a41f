import { appendFile, chmod, cp, mkdir, mkdtemp, realpath, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/db/embedded/start";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { queryOnce } from "../support/query-once";

// On Windows, the embedded PostgreSQL listens on a port, and folders have no mode.
const isWindows = process.platform === "win32";

let temporary: PostgresFolder;
let folder: string;
beforeAll(async () => {
  temporary = await createPostgresFolder();
  folder = join(temporary.path, "postgres");
});
afterAll(() => temporary.remove());

const socketFolderOf = ({ url }: EmbeddedPostgres) => decodeURIComponent(new URL(url).hostname);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const settings = `SELECT current_setting('listen_addresses') AS tcp, current_setting('unix_socket_directories') AS socket`;

/** Asserts that only the user of PostgreSQL can reach it, and not over the network. */
async function expectPrivate(postgres: EmbeddedPostgres): Promise<void> {
  const socketFolder = socketFolderOf(postgres);
  expect(await queryOnce(postgres.url, settings)).toEqual([{ tcp: "", socket: `"${socketFolder}"` }]);
  const { data, log } = await prepareInstallation(folder);
  expect(await modeOf(socketFolder)).toBe(0o700);
  expect(await modeOf(data)).toBe(0o700);
  expect(await modeOf(dirname(data))).toBe(0o700);
  expect(await modeOf(log)).toBe(0o600);
  expect((await stat(socketFolder)).uid).toBe((await stat(data)).uid);
  const methods = await queryOnce(postgres.url, "SELECT DISTINCT auth_method FROM pg_hba_file_rules");
  expect(methods).toEqual([{ auth_method: "scram-sha-256" }]);
}

test.skipIf(isWindows)(
  "PostgreSQL listens on a socket in a private folder, and not on the network",
  async () => {
    const postgres = await startEmbeddedPostgres(folder);
    await expectPrivate(postgres);
    await queryOnce(postgres.url, "CREATE TABLE kept AS SELECT 1 AS one");
    await postgres.stop();
    expect(await exists(socketFolderOf(postgres))).toBe(false);
  },
);

test.skipIf(isWindows)(
  "a data folder with permissions and settings of an older version is used, and made private",
  async () => {
    const { data, log } = await prepareInstallation(folder);
    for (const path of [folder, dirname(data)]) await chmod(path, 0o755);
    await chmod(log, 0o644);
    await appendFile(join(data, "postgresql.auto.conf"), "listen_addresses = '127.0.0.1'\nport = 54329\n");
    const postgres = await startEmbeddedPostgres(folder);
    await expectPrivate(postgres);
    expect(await queryOnce(postgres.url, "SELECT one FROM kept")).toEqual([{ one: 1 }]);
    await postgres.stop();
  },
);

test.skipIf(isWindows)("the path of the data folder may be longer than that of a socket", async () => {
  const deep = join(temporary.path, ...Array.from({ length: 12 }, () => "a-long-name-of-a-folder"));
  await mkdir(deep, { recursive: true });
  const postgres = await startEmbeddedPostgres(deep);
  expect(await queryOnce(postgres.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await postgres.stop();
});

test("on Windows, PostgreSQL listens on a loopback port, and the URL requires SCRAM", async () => {
  const postgres = await startEmbeddedPostgres(folder, [], "win32");
  expect(postgres.url).toMatch(
    /^postgresql:\/\/madang:[\w-]+@127\.0\.0\.1:\d+\/madang\?require_auth=scram-sha-256$/,
  );
  expect(await queryOnce(postgres.url, settings)).toEqual([{ tcp: "127.0.0.1", socket: "" }]);
  await postgres.stop();
});

describe.skipIf(process.getuid?.() !== 0)("as root, in a folder that PostgreSQL's user cannot enter", () => {
  const created = new Set<string>();
  const create = () => mkdtemp(join(tmpdir(), "madang-private-"));
  const start = async (path: string) => {
    const postgres = await startEmbeddedPostgres(path);
    onTestFinished(postgres.stop);
    const outside = await realpath(join(path, "outside")).catch(() => undefined);
    if (outside !== undefined) created.add(outside);
    return { ...postgres, outside };
  };
  const keep = ({ url }: EmbeddedPostgres) => queryOnce(url, "CREATE TABLE kept AS SELECT 1 AS one");
  const findKept = ({ url }: EmbeddedPostgres) => queryOnce(url, "SELECT one FROM kept");
  afterAll(async () => {
    for (const path of created) await rm(path, { recursive: true, force: true });
  });

  test("a data folder that is moved keeps its database, also where the user can enter", async () => {
    const parent = await create();
    created.add(parent);
    await mkdir(join(parent, "one"));
    const first = await start(join(parent, "one/postgres"));
    await keep(first);
    await first.stop();
    await rename(join(parent, "one"), join(parent, "two"));
    const second = await start(join(parent, "two/postgres"));
    expect(await findKept(second)).toEqual([{ one: 1 }]);
    await second.stop();
    await chmod(parent, 0o755);
    expect(await findKept(await start(join(parent, "two/postgres")))).toEqual([{ one: 1 }]);
  });

  test("a copy of a data folder does not use the database of a server that runs", async () => {
    const parent = await create();
    created.add(parent);
    const first = await start(join(parent, "one"));
    await keep(first);
    await cp(join(parent, "one"), join(parent, "two"), { recursive: true, verbatimSymlinks: true });
    await expect(start(join(parent, "two"))).rejects.toThrow("is in use by another process");
    expect(await findKept(first)).toEqual([{ one: 1 }]);
  });

  test("a database whose folder can no longer be entered is not replaced by an empty one", async () => {
    const parent = await create();
    created.add(parent);
    await chmod(parent, 0o755);
    const first = await start(join(parent, "postgres"));
    await keep(first);
    await first.stop();
    if (first.outside !== undefined) return;
    await chmod(parent, 0o700);
    await expect(start(join(parent, "postgres"))).rejects.toThrow(`cannot enter ${parent}`);
    await chmod(parent, 0o755);
    expect(await findKept(await start(join(parent, "postgres")))).toEqual([{ one: 1 }]);
  });

  test("a data folder that is put aside keeps its database, and another one begins in its place", async () => {
    const parent = await create();
    created.add(parent);
    const first = await start(join(parent, "postgres"));
    await keep(first);
    await first.stop();
    await rename(join(parent, "postgres"), join(parent, "aside"));
    const second = await start(join(parent, "postgres"));
    await expect(findKept(second)).rejects.toThrow("does not exist");
    await second.stop();
    expect(await findKept(await start(join(parent, "aside")))).toEqual([{ one: 1 }]);
  });
});
