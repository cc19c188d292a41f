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
type Values = Readonly<Record<string, unknown>>;
type Row = readonly [table: string, values: Values];
const user = (values: Values): Row => ["users", { user_id: "abcd", name: "Kim", ...values }];
const channel = (values: Values): Row => ["channels", { channel_id: "abcd", name: "Team", ...values }];
const message = (values: Values): Row => ["messages", { type: "text", sender_pk: 1, content: "", ...values }];
const report = (values: Values): Row => ["reports", { reason: "spam", status: "open", ...values }];
const erasure = (values: Values): Row => ["erasures", { messages: "erase", status: "done", ...values }];
const webhook = (values: Values): Row => ["webhooks", { url: "https://a", ...values }];
const filter = (values: Values): Row => [
  "filters",
  { label: "Spam", words: ["spam"], channel_ids: [], action: "reject", ...values },
];
const hook = (values: Values): Row => [
  "hooks",
  { url: "https://a", callers: "all", timeout_ms: 100, on_failure: "accept", ...values },
];
const key = (key: string): Row => ["idempotency_keys", { key, result: "[]" }];

/** Rows at the limits, and rows beyond them with the check that rejects each. */
const rows: readonly (readonly [row: Row, check: string])[] = [
  [user({}), "none"],
  [user({ user_id: "a".repeat(80), name: "가".repeat(80), meta: pairs(10) }), "none"],
  [user({ user_id: "abc" }), "users_user_id_form"],
  [user({ user_id: "a".repeat(81) }), "users_user_id_form"],
  [user({ user_id: "abcD" }), "users_user_id_form"],
  [user({ user_id: "abcd\n" }), "users_user_id_form"],
  [user({ name: "" }), "users_name_length"],
  [user({ name: "가".repeat(81) }), "users_name_length"],
  [user({ profile_url: "" }), "users_profile_url_length"],
  [user({ meta: pairs(11) }), "users_meta_pairs"],
  [user({ meta: [{}] }), "users_meta_pairs"],
  [user({ meta: null }), "users_meta_pairs"],
  [channel({ meta: pairs(10), member_count: 100, manager_count: 10 }), "none"],
  [channel({ channel_id: "a".repeat(81) }), "channels_channel_id_form"],
  [channel({ channel_id: "ab d" }), "channels_channel_id_form"],
  [channel({ name: "가".repeat(151) }), "channels_name_length"],
  [channel({ profile_url: "a".repeat(2049) }), "channels_profile_url_length"],
  [channel({ meta: pairs(11) }), "channels_meta_pairs"],
  [channel({ member_count: 101 }), "channels_member_limit"],
  [channel({ manager_count: 11 }), "channels_manager_limit"],
  [channel({ total_file_count: 1 }), "channels_counts"],
  [channel({ first_participant_pk: 1, second_participant_pk: 1 }), "channels_pair"],
  [["members", { read_pk: 1 }], "members_read_mark"],
  [["members", { notify: "all" }], "members_notify"],
  [["members", { is_archived: true, pinned_at: 1 }], "members_place"],
  [["members", { hidden_at: 1 }], "members_place"],
  [["blocks", { user_pk: 1, blocked_pk: 1 }], "blocks_of_another"],
  [["bans", { reason: "" }], "bans_reason_length"],
  [report({}), "none"],
  [report({ reason: "a".repeat(501) }), "reports_reason_length"],
  [report({ resolution: "" }), "reports_resolution_length"],
  [report({ status: "closed" }), "reports_status"],
  [erasure({}), "none"],
  [erasure({ messages: "hide" }), "erasures_messages"],
  [erasure({ status: "failed" }), "erasures_status"],
  [message({ content: "가".repeat(65_536) }), "none"],
  [message({ content: "a".repeat(65_537) }), "messages_content_length"],
  [message({ external_id: "" }), "messages_external_id_length"],
  [message({ sender_pk: null }), "messages_form"],
  [message({ type: "file" }), "messages_form"],
  [message({ type: "system" }), "messages_form"],
  [message({ meta: pairs(11) }), "messages_meta_pairs"],
  [message({ type: "file", content: null, file: {}, parts: "[]" }), "messages_parts"],
  [message({ reply_to_pk: 1 }), "messages_reply_to"],
  [message({ state: "paused" }), "messages_state"],
  [["message_chunks", { characters: 65_537 }], "message_chunks_characters"],
  [["reactions", { reaction: "a".repeat(33) }], "reactions_reaction_length"],
  [["files", { status: "lost" }], "files_status"],
  [webhook({}), "none"],
  [webhook({ url: "" }), "webhooks_url_length"],
  [webhook({ description: "a".repeat(201) }), "webhooks_description_length"],
  [filter({}), "none"],
  [filter({ words: [], pattern: "a" }), "none"],
  [filter({ words: [] }), "filters_words_or_pattern"],
  [filter({ pattern: "a" }), "filters_words_or_pattern"],
  [filter({ label: "" }), "filters_label_length"],
  [filter({ label: "a".repeat(81) }), "filters_label_length"],
  [filter({ action: "delete" }), "filters_action"],
  [hook({}), "none"],
  [hook({ timeout_ms: 5_000 }), "none"],
  [hook({ url: "" }), "hooks_url_length"],
  [hook({ callers: "keys" }), "hooks_callers"],
  [hook({ timeout_ms: 99 }), "hooks_timeout"],
  [hook({ timeout_ms: 5_001 }), "hooks_timeout"],
  [hook({ on_failure: "ignore" }), "hooks_on_failure"],
  [key("!"), "none"],
  [key("~".repeat(255)), "none"],
  [key(""), "idempotency_keys_key_form"],
  [key("~".repeat(256)), "idempotency_keys_key_form"],
  [key("a b"), "idempotency_keys_key_form"],
  [key("a\n"), "idempotency_keys_key_form"],
  [key("\x7f"), "idempotency_keys_key_form"],
];

test.each(rows)("the check of %j: %s", async ([table, values], check) => {
  const rejectedBy = await onDatabase((client) =>
    insert(client, table, values).then(
      () => "none",
      (error: pg.DatabaseError) => error.constraint ?? error.message,
    ),
  );
  expect(rejectedBy).toBe(check);
});

test("every check rejects a row above", async () => {
  const { rows: found } = await onDatabase((client) =>
    client.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
       WHERE contype = 'c' AND pg_class.relnamespace = current_schema()::regnamespace`,
    ),
  );
  const tested = new Set(rows.map(([, check]) => check));
  expect(found.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
});

async function onDatabase<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Inserts a row alone: without those that it refers to, and with something in each other column that needs a value. */
async function insert(client: pg.Client, table: string, values: Values): Promise<void> {
  const { rows: columns } = await client.query<{ name: string; filler: string }>(
    `SELECT column_name AS name,
       CASE data_type WHEN 'jsonb' THEN '{}' WHEN 'text' THEN '' WHEN 'bytea' THEN '' WHEN 'ARRAY' THEN '{}' ELSE '0' END AS filler
     FROM information_schema.columns
     WHERE table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AND is_generated = 'NEVER'`,
    [table],
  );
  const row = { ...Object.fromEntries(columns.map(({ name, filler }) => [name, filler])), ...values };
  const isJson = (name: string) => name === "meta" || name === "file";
  const names = Object.keys(row);
  await client.query("SET session_replication_role = replica; BEGIN");
  await client.query(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.entries(row).map(([name, value]) => (isJson(name) ? JSON.stringify(value) : value)),
  );
}

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
