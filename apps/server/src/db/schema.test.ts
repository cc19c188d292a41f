import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../test/support/database";
import { Prisma } from "./generated/client";
import { columnOf } from "./row";

const database = await createDatabase();
afterAll(database.drop);

test("the migrated database matches schema.prisma", async () => {
  const schema = await readFile(new URL("../../prisma/schema.prisma", import.meta.url), "utf8");
  const files = [{ path: "schema.prisma", content: schema }];
  const engine = await startEngine(schema, database.url);
  const { stdout } = await engine.diff({
    from: { tag: "schemaDatasource", files, configDir: "." },
    to: { tag: "schemaDatamodel", files },
    script: true,
    exitCode: false,
    filters: { externalTables: ["public._prisma_migrations"], externalEnums: [] },
  });
  expect(stdout?.trim()).toBe("-- This is an empty migration.");
});

test("each column is named after its field", async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const model of Object.values(Prisma.ModelName)) {
    const { rows } = await client.query(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1",
      [`${columnOf(model).slice(1)}s`.replace(/(?<![ae])ys$/, "ies")],
    );
    const fields = Object.keys(Prisma[`${model}ScalarFieldEnum`]);
    expect(rows.map(({ name }) => name).sort()).toEqual(fields.map(columnOf).sort());
  }
  await client.end();
});

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [index, ""]));
const user = (id: string, meta: unknown = {}) => ({
  text: "INSERT INTO users (user_id, name, meta, created_at, updated_at) VALUES ($1, 'Kim', $2, 0, 0)",
  values: [id, JSON.stringify(meta)],
});
const channel = (id: string, meta: unknown = {}) => ({
  text: "INSERT INTO channels (channel_id, name, meta, created_at, updated_at) VALUES ($1, 'Team', $2, 0, 0)",
  values: [id, JSON.stringify(meta)],
});
const key = (key: string) => ({
  text: "INSERT INTO idempotency_keys (caller, key, fingerprint, result, created_at) VALUES ('', $1, '', '[]', 0)",
  values: [key],
});

/** Rows at the limits, and rows beyond them with the check that rejects each. */
const rows = [
  [user("abcd"), "none"],
  [user("a".repeat(80), pairs(10)), "none"],
  [user("abc"), "users_user_id_form"],
  [user("a".repeat(81)), "users_user_id_form"],
  [user("abcD"), "users_user_id_form"],
  [user("abcd\n"), "users_user_id_form"],
  [user("meta_11", pairs(11)), "users_meta_pairs"],
  [user("meta_array", [{}]), "users_meta_pairs"],
  [user("meta_null", null), "users_meta_pairs"],
  [channel("abcd", pairs(10)), "none"],
  [channel("a".repeat(81)), "channels_channel_id_form"],
  [channel("ab d"), "channels_channel_id_form"],
  [channel("meta_11", pairs(11)), "channels_meta_pairs"],
  [key("!"), "none"],
  [key("~".repeat(255)), "none"],
  [key(""), "idempotency_keys_key_form"],
  [key("~".repeat(256)), "idempotency_keys_key_form"],
  [key("a b"), "idempotency_keys_key_form"],
  [key("a\n"), "idempotency_keys_key_form"],
  [key("\x7f"), "idempotency_keys_key_form"],
] as const;

test.each(rows)("the check of %j: %s", async (row, check) => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const rejectedBy = await client.query(row).then(
    () => "none",
    (error: pg.DatabaseError) => error.constraint,
  );
  await client.end();
  expect(rejectedBy).toBe(check);
});

/** The package expects a bundler to instantiate its WebAssembly. */
async function startEngine(schema: string, url: string): Promise<SchemaEngine> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasm = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm/schema_engine_bg")
    .replace(/\.js$/, ".wasm");
  const { instance } = await instantiate(await readFile(wasm), { "./schema_engine_bg.js": { ...bindings } });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  const adapter = bindMigrationAwareSqlAdapterFactory(openAdapter(url));
  return bindings.SchemaEngine.new({ datamodels: [["schema.prisma", schema]] }, () => undefined, adapter);
}

// WebAssembly is declared only in the DOM types.
const { instantiate } = Reflect.get(globalThis, "WebAssembly");

/** The type "char" of the system catalogs, which the adapter does not know. */
const charType = 18;

/** Reads columns of the type "char" as text, and tells the engine which they are. */
function openAdapter(url: string): PrismaPg {
  const charColumns = new Set<string>();
  const pool = new pg.Pool({ connectionString: url });
  pool.on("connect", ({ connection }) => {
    connection.prependListener("rowDescription", ({ fields }: { fields: pg.FieldDef[] }) => {
      for (const field of fields.filter(({ dataTypeID }) => dataTypeID === charType)) {
        charColumns.add(field.name);
        field.dataTypeID = pg.types.builtins.TEXT;
      }
    });
  });
  const factory = new PrismaPg(pool, { schema: "public", disposeExternalPool: true });
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const connection = await connect();
    const queryRaw = connection.queryRaw.bind(connection);
    connection.queryRaw = async (query) => {
      const result = await queryRaw(query);
      const columnTypes = result.columnTypes.map((type, index) =>
        charColumns.has(result.columnNames[index] ?? "") ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    return connection;
  };
  return factory;
}
