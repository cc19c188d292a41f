import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../support/database";
import { findFreePort } from "../support/ports";
import { startPostgresProxy } from "../support/postgres-proxy";
import { masterKey } from "../support/server";
import { findBase, findPostgres } from "./base-image";
import { engine, limitOptions, limits, require, requireCommand, run } from "./engine";
import { buildImage, canary, image, isInArchive, root } from "./image";

const container = "madang-test";
const maxMegabytes = 200;

const base = await findBase();
const reason = engine === undefined ? "no Podman or Docker runs here" : "the engine has no base image";
if (base === undefined) process.stdout.write(`The containers are skipped: ${reason}.\n`);

describe.skipIf(base === undefined)("the image", () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let proxy: Awaited<ReturnType<typeof startPostgresProxy>>;
  let port: number;
  let chat: ChatClient;
  beforeAll(async () => {
    database = await createDatabase();
    proxy = await startPostgresProxy(database.url);
    port = await findFreePort();
    chat = new ChatClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: masterKey });
    // That of an interrupted run.
    await run("rm", "--force", container);
    await buildImage(base?.name ?? "");
  });
  afterAll(async () => {
    await run("rm", "--force", container);
    await proxy.proxy.close();
    await database.drop();
  });

  /** The options of compose.yaml, on the network of this machine, where the PostgreSQL of the tests is. */
  function startContainer(...command: readonly string[]): Promise<string> {
    const settings = { DATABASE_URL: proxy.url, MADANG_MASTER_KEY: masterKey, PORT: String(port) };
    const environment = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
    const rights = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges"];
    // Without it, Podman lets the process write to /tmp.
    if (engine === "podman") rights.push("--read-only-tmpfs=false");
    const options = [
      "--detach",
      "--network=host",
      "--name",
      container,
      ...rights,
      ...limitOptions,
      ...environment,
    ];
    return require("run", ...options, image, ...command);
  }

  test(`is at most ${maxMegabytes} MB larger than its base`, async () => {
    const sizeOf = async (name: string) =>
      Number(await require("image", "inspect", "--format", "{{.Size}}", name));
    const megabytes = (await sizeOf(image)) / 1e6 - (await sizeOf(base?.name ?? "")) / 1e6;
    process.stdout.write(`The image adds ${Math.round(megabytes)} MB to its base.\n`);
    expect(megabytes).toBeLessThan(maxMegabytes);
  });

  test("contains no key: not in its files, its layers or its configuration", async () => {
    expect(await require("image", "inspect", image)).not.toMatch(/mk_|MADANG_MASTER_KEY|DATABASE_URL/);
    expect(await require("history", "--no-trunc", image)).not.toMatch(/mk_|MADANG_MASTER_KEY/);
    expect(await isInArchive("dist/main.js")).toBe(true);
    expect(await isInArchive(canary)).toBe(false);
  });

  test("migrates, serves, reports its health, stops gracefully and starts again with its data", async () => {
    await startContainer("migrate");
    expect(await require("wait", container)).toBe("0");
    await require("rm", container);
    await startContainer("start");
    await untilHealthy();
    await chat.users.create({ user_id: "kim_01", name: "Kim" });
    await require("stop", "--time", "30", container);
    expect(await inspect("{{.State.ExitCode}}")).toBe("0");
    await require("start", container);
    await untilHealthy();
    expect((await chat.users.get("kim_01")).name).toBe("Kim");
  });

  test("is not root, and cannot write to its file system", async () => {
    const script = (text: string) => run("exec", container, "node", "-e", text);
    expect((await script("process.stdout.write(String(process.getuid()))")).text).toBe("1000");
    for (const file of ["/srv/madang/dist/main.js", "/srv/madang/new", "/tmp/new"])
      expect((await script(`fs.writeFileSync("${file}", "")`)).text).toContain("EROFS");
  });

  test("is unhealthy while PostgreSQL does not respond", async () => {
    proxy.proxy.set({ onRequest: () => undefined });
    await expect.poll(isHealthy, { timeout: 60_000, interval: 1_000 }).toBe(false);
    proxy.proxy.set({});
    await untilHealthy();
  });

  async function inspect(format: string): Promise<string> {
    return require("inspect", "--format", format, container);
  }

  /** Podman leaves the times of the checks to systemd, which may not run here. */
  async function isHealthy(): Promise<boolean> {
    if (engine === "podman") return (await run("healthcheck", "run", container)).code === 0;
    return (await inspect("{{.State.Health.Status}}")) === "healthy";
  }

  async function untilHealthy(): Promise<void> {
    await expect.poll(isHealthy, { timeout: 60_000, interval: 1_000 }).toBe(true);
  }
});

afterAll(async () => {
  await run("rmi", "--force", image);
});

const hasCompose = engine === "docker" || spawnSync("docker-compose", ["version"]).status === 0;
const skipped = base === undefined || !hasCompose;
if (base !== undefined && !hasCompose)
  process.stdout.write("compose.yaml is skipped: docker-compose is not installed.\n");

describe.skipIf(skipped)("compose.yaml", () => {
  test("starts PostgreSQL, migrates and serves, and keeps the data when it is brought down and up", async () => {
    const folder = await mkdtemp(join(tmpdir(), "madang-compose-"));
    const port = await findFreePort();
    const postgres = base && (await findPostgres(base));
    const override = join(folder, "override.yaml");
    const services = {
      postgres: { image: postgres?.name, ulimits: limits },
      migrate: { image, ulimits: limits },
      server: { image, ulimits: limits },
    };
    // JSON is YAML.
    await writeFile(override, JSON.stringify({ services }));
    const service = engine === "podman" ? startPodmanService(join(folder, "socket")) : undefined;
    // Podman leaves the times of the checks to systemd, which may not run here.
    const checking = setInterval(() => service && run("healthcheck", "run", "madang-test_postgres_1"), 1_000);
    const env = {
      ...process.env,
      ...(service && { DOCKER_HOST: `unix://${join(folder, "socket")}` }),
      MADANG_MASTER_KEY: masterKey,
      MADANG_PORT: String(port),
      POSTGRES_PASSWORD: "only-for-tests",
    };
    const files = ["--file", join(root, "compose.yaml"), "--file", override];
    const compose = (...args: string[]) =>
      requireCommand("docker-compose", ["--project-name", "madang-test", ...files, ...args], { env });
    const chat = new ChatClient({
      baseUrl: `http://127.0.0.1:${port}`,
      apiKey: masterKey,
      timeoutMs: 60_000,
    });
    try {
      await compose("up", "--detach", "--no-build");
      await chat.users.create({ user_id: "kim_01", name: "Kim" });
      await compose("down");
      await compose("up", "--detach", "--no-build");
      expect((await chat.users.get("kim_01")).name).toBe("Kim");
    } finally {
      await compose("down", "--volumes");
      clearInterval(checking);
      service?.kill("SIGTERM");
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The interface of Docker, which compose needs. */
function startPodmanService(socket: string) {
  return spawn("podman", ["system", "service", "--time=0", `unix://${socket}`], { stdio: "ignore" });
}
