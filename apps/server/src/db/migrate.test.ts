import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { listPendingMigrations, migrate } from "./migrate";

const name = `empty_${randomBytes(6).toString("hex")}`;
const administrator = new pg.Client({ connectionString: inject("postgresUrl") });
const url = inject("postgresUrl").replace(/[^/?]*(?=\?|$)/, name);

beforeAll(async () => {
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}`);
});
afterAll(async () => {
  await administrator.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await administrator.end();
});

test("several processes may migrate an empty database at once, and each migration is applied once", async () => {
  const pending = await listPendingMigrations(url);
  expect(pending.length).toBeGreaterThan(0);
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(applied.flat().sort()).toEqual(pending);
  expect(await listPendingMigrations(url)).toEqual([]);
  expect(await migrate(url)).toEqual([]);
});

test("a migration that was changed after it had been applied is refused", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`UPDATE "_prisma_migrations" SET checksum = 'other'`);
  await client.end();
  await expect(migrate(url)).rejects.toThrow("was changed after it had been applied");
});
