import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { masterKey } from "../support/server";
import { type Cluster, startCluster } from "./cluster";
import { type ServerProcess, startProcess } from "./process";

let cluster: Cluster;
let server: ServerProcess;
beforeAll(async () => {
  cluster = await startCluster();
  server = await startProcess(cluster.url, { LOG_LEVEL: "trace" });
});
afterAll(async () => {
  await server.end("SIGTERM");
  await cluster.close();
});

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test("used keys do not appear in logs, errors, the process title or database files", async () => {
  const bodies: unknown[] = [];
  const keys: string[] = [];
  for (const idempotencyKey of [undefined, "first", "first", "second"]) {
    const sent = idempotencyKey === undefined ? {} : { idempotencyKey };
    keys.push((await call(server.url, "POST", "/v1/applications/keys", sent)).body.key);
  }
  for (const key of keys) {
    await call(server.url, "GET", "/v1/users", { key });
    for (const path of [
      `/v1/users/${key.toLowerCase()}`,
      `/v1/users/${key}`,
      `/v1/users/${key.replace("_", "%5F")}`,
      `/v1/users/${key.replace("_", "%255f")}`,
      `/v1/${key}`,
      `/v1/users?key=${key}`,
    ])
      bodies.push((await call(server.url, "GET", path)).headers.get("X-Request-Id"));
    await call(server.url, "GET", "/v1/users", { headers: { "X-Request-Id": key } });
    bodies.push((await call(server.url, "GET", "/v1/users", { key: `${key}x` })).body);
    bodies.push((await call(server.url, "GET", "/v1/applications/keys", { key })).body);
    bodies.push(
      (await call(server.url, "DELETE", "/v1/applications/keys", { body: { key, more: key } })).body,
    );
  }
  await call(server.url, "DELETE", "/v1/applications/keys", {
    body: { key: keys[0] },
    idempotencyKey: "gone",
  });

  const secrets = [masterKey, ...keys].map((key) => key.slice(3, 24));
  expect(new Set(secrets).size).toBe(4);
  const title = await readFile(`/proc/${server.pid}/cmdline`, "utf8");
  for (const secret of secrets) {
    expect(server.output()).not.toContain(secret);
    expect(JSON.stringify(bodies)).not.toContain(secret);
    expect(title).not.toContain(secret);
  }

  const client = new pg.Client({ connectionString: cluster.directUrl() });
  await client.connect();
  await client.query("CHECKPOINT");
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  const found: string[] = [];
  const files = await listFiles(rows[0]?.data_directory ?? "");
  for (const file of files) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    // As text and decoded from base64url.
    const forms = secrets.flatMap((secret) => [
      Buffer.from(secret),
      Buffer.from(secret.slice(0, 20), "base64url"),
    ]);
    if (forms.some((form) => bytes.includes(form))) found.push(file);
  }
  await client.end();
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
