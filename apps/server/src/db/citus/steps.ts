import { createFunctions } from "./functions";
import { shardKeySql } from "./shard-map";

/** One transaction of the distribution. A step that was interrupted has changed nothing. */
export interface Step {
  readonly name: string;
  /** Each is sent by itself: Citus forwards some of them to the workers. */
  readonly statements: readonly string[];
  /** A table that must have as many rows afterwards as before. */
  readonly table?: string;
}

const ofChannel = (table: string, cascade = "ON DELETE CASCADE") => ({
  name: `${table}_channel_pk_fkey`,
  definition: `FOREIGN KEY (channel_pk, shard_key) REFERENCES channels (pk, shard_key) ${cascade}`,
});
const ofUser = (table: string, column: string) => ({
  name: `${table}_${column}_fkey`,
  definition: `FOREIGN KEY (${column}) REFERENCES user_copies (pk)`,
});
const ofMessage = (table: string) => ({
  name: `${table}_message_fkey`,
  definition: `FOREIGN KEY (channel_pk, message_created_at, message_pk, shard_key)
    REFERENCES messages (channel_pk, created_at, pk, shard_key) ON DELETE CASCADE`,
});

/** The tables of the rows of a channel. `generated` is the column from a sequence. */
const tables: readonly {
  readonly name: string;
  readonly key: string;
  readonly generated?: string;
  readonly references: readonly { readonly name: string; readonly definition: string }[];
}[] = [
  ...["members", "managers"].map((name) => ({
    name,
    key: "channel_pk, user_pk",
    generated: "position",
    references: [ofChannel(name), ofUser(name, "user_pk")],
  })),
  ...["mutes", "bans"].map((name) => ({
    name,
    key: "channel_pk, user_pk",
    references: [ofChannel(name), ofUser(name, "user_pk")],
  })),
  {
    name: "messages",
    key: "channel_pk, created_at, pk",
    generated: "pk",
    references: [ofChannel("messages", ""), ofUser("messages", "sender_pk")],
  },
  {
    name: "reactions",
    key: "channel_pk, message_created_at, message_pk, reaction, user_pk",
    generated: "position",
    references: [ofMessage("reactions"), ofUser("reactions", "user_pk")],
  },
  {
    name: "mentions",
    key: "channel_pk, message_created_at, message_pk, user_pk",
    references: [ofMessage("mentions")],
  },
  {
    name: "message_chunks",
    key: "message_pk, number",
    references: [ofMessage("message_chunks")],
  },
];

const eventColumns = `channel_pk bigint NOT NULL, type text NOT NULL, channel_id text, user_pk bigint, user_id text,
  message_created_at bigint, message_pk bigint, detail jsonb,
  created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * The search index. It is created empty: the background indexes every shard again. Without foreign keys to the channels: the
 * statements on a whole shard write rows of several channels, with one shard key of the shard.
 */
const searchBlocks = `CREATE TABLE search_blocks (channel_pk bigint NOT NULL, last_created_at bigint NOT NULL,
  last_pk bigint NOT NULL, version integer NOT NULL, signature bytea, shard_key integer DEFAULT madang_shard_key(),
  PRIMARY KEY (channel_pk, last_created_at, last_pk, shard_key))`;

/** In this order. What depends on the rows is done while the tables are still on the coordinator. */
export const steps: readonly Step[] = [
  {
    name: "functions",
    statements: [
      ...createFunctions,
      // Has the sequence, so that Citus creates it on every node, each with its own range.
      "CREATE TABLE madang_two_phase (number integer PRIMARY KEY, next_pk bigint DEFAULT nextval('messages_pk_seq'))",
      "ALTER SEQUENCE messages_pk_seq OWNED BY NONE",
      "SELECT citus_add_local_table_to_metadata('madang_two_phase')",
    ],
  },
  {
    name: "foreign keys removed",
    statements: [
      ...tables.map(
        ({ name, references }) =>
          `ALTER TABLE ${name} ${references.map((each) => `DROP CONSTRAINT ${each.name}`).join(", ")}`,
      ),
      "DROP TABLE search_blocks, search_changes, search_positions",
      "ALTER TABLE channels DROP CONSTRAINT channels_first_participant_pk_fkey",
      "ALTER TABLE channels DROP CONSTRAINT channels_second_participant_pk_fkey",
    ],
  },
  {
    name: "copies of the users on every node",
    statements: [
      "LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE",
      "CREATE TABLE user_copies (LIKE users)",
      // Like the columns of users: PostgreSQL would keep samples of texts that are erased later.
      `ALTER TABLE user_copies ${["name", "profile_url", "meta", "suspension_reason"]
        .map((column) => `ALTER ${column} SET STATISTICS 0`)
        .join(", ")}`,
      "ALTER TABLE user_copies ADD PRIMARY KEY (pk)",
      // It contains what a deletion and a suspension change: they then wait, on every node, for the transactions that have
      // locked the copy of the user there.
      "CREATE UNIQUE INDEX user_copies_ends ON user_copies (pk, deleted_at, suspended_until)",
      "CREATE INDEX user_copies_to_sweep ON user_copies (deleted_at) WHERE needs_sweep",
      "CREATE UNIQUE INDEX user_copies_live_user_id_key ON user_copies (user_id) WHERE deleted_at IS NULL",
      "SELECT create_reference_table('user_copies')",
      "INSERT INTO user_copies SELECT * FROM users",
      "CREATE TRIGGER users_copy AFTER INSERT OR UPDATE OR DELETE ON users FOR EACH ROW EXECUTE FUNCTION madang_copy_user()",
    ],
  },
  {
    name: "shard keys of channels",
    statements: [
      "ALTER TABLE channels ADD COLUMN shard_key integer",
      `UPDATE channels SET shard_key = ${shardKeySql("channel_id")}`,
      `ALTER TABLE channels ALTER pk DROP IDENTITY, ALTER pk SET DEFAULT madang_next_pk(),
        ALTER shard_key SET DEFAULT madang_shard_key(), DROP CONSTRAINT channels_pkey,
        ADD PRIMARY KEY (pk, shard_key)`,
      "DROP INDEX channels_live_channel_id_key",
      "CREATE UNIQUE INDEX channels_live_channel_id_key ON channels (channel_id, shard_key) WHERE deleted_at IS NULL",
    ],
  },
  ...tables.map(({ name, key, generated }) => ({
    name: `shard keys of ${name}`,
    statements: [
      `ALTER TABLE ${name} ADD COLUMN shard_key integer`,
      `UPDATE ${name} SET shard_key = channels.shard_key FROM channels WHERE channels.pk = channel_pk`,
      `ALTER TABLE ${name} ${generated === undefined ? "" : `ALTER ${generated} SET DEFAULT madang_next_pk(),`}
        ALTER shard_key SET DEFAULT madang_shard_key(), DROP CONSTRAINT ${name}_pkey,
        ADD PRIMARY KEY (${key}, shard_key)`,
    ],
  })),
  {
    name: "ids of imported messages",
    statements: [
      "DROP INDEX messages_external_id_key",
      `CREATE UNIQUE INDEX messages_external_id_key ON messages (channel_pk, external_id, shard_key)
        WHERE external_id IS NOT NULL`,
    ],
  },
  distribute("channels", "none"),
  ...tables.map(({ name }) => distribute(name, "channels")),
  {
    name: "search index",
    statements: [
      searchBlocks,
      // Before the table is distributed: the shards get what it has, and Citus rejects the change afterwards.
      "ALTER TABLE search_blocks ALTER signature SET STORAGE EXTERNAL",
      "ALTER TABLE search_blocks SET (toast_tuple_target = 8160)",
      "SELECT create_distributed_table('search_blocks', 'shard_key', colocate_with => 'channels')",
      "DELETE FROM consumers WHERE name LIKE 'search build %'",
    ],
  },
  {
    // The events of channels and the others, until the feed takes them over.
    name: "events",
    statements: [
      `CREATE TABLE channel_events (shard_key integer NOT NULL DEFAULT madang_shard_key(),
        pk bigint NOT NULL DEFAULT madang_next_pk(), ${eventColumns}, PRIMARY KEY (shard_key, pk))`,
      "ALTER TABLE channel_events ALTER detail SET STATISTICS 0",
      "SELECT create_distributed_table('channel_events', 'shard_key', colocate_with => 'channels')",
      `CREATE TABLE coordinator_events (pk bigserial PRIMARY KEY, ${eventColumns})`,
      "ALTER TABLE coordinator_events ALTER detail SET STATISTICS 0",
      "CREATE TRIGGER events_hold BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION madang_hold_event()",
    ],
  },
  {
    // The entries of requests that change one channel.
    name: "audit entries",
    statements: [
      "ALTER TABLE audit_entries ALTER number SET DEFAULT madang_next_pk()",
      `CREATE TABLE channel_audit_entries (shard_key integer NOT NULL DEFAULT madang_shard_key(),
        number bigint NOT NULL DEFAULT madang_next_pk(),
        at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, operation text NOT NULL,
        method text NOT NULL, status integer NOT NULL, code text, kind text NOT NULL, key_id text, actor text, reason text,
        address text NOT NULL, user_id text, channel_id text, message_id text, subject text,
        PRIMARY KEY (shard_key, at, number))`,
      "CREATE INDEX channel_audit_entries_by_time ON channel_audit_entries (at, number)",
      "SELECT create_distributed_table('channel_audit_entries', 'shard_key', colocate_with => 'channels')",
    ],
  },
  {
    // The keys of requests that change one channel.
    name: "idempotency keys",
    statements: [
      `CREATE TABLE channel_idempotency_keys (caller text NOT NULL, key text NOT NULL, fingerprint bytea NOT NULL,
        result json NOT NULL, created_at bigint NOT NULL, shard_key integer NOT NULL DEFAULT madang_shard_key(),
        PRIMARY KEY (caller, key, shard_key))`,
      "CREATE INDEX channel_idempotency_keys_by_age ON channel_idempotency_keys (created_at)",
      "SELECT create_distributed_table('channel_idempotency_keys', 'shard_key', colocate_with => 'channels')",
    ],
  },
  {
    name: "foreign keys of channels",
    statements: ["first_participant_pk", "second_participant_pk"].map(
      (column) =>
        `ALTER TABLE channels ADD CONSTRAINT channels_${column}_fkey FOREIGN KEY (${column}) REFERENCES user_copies (pk)`,
    ),
  },
  ...tables.map(({ name, references }) => ({
    name: `foreign keys of ${name}`,
    statements: references.map(
      (each) => `ALTER TABLE ${name} ADD CONSTRAINT ${each.name} ${each.definition}`,
    ),
  })),
  {
    name: "statements sent to the workers",
    statements: [
      `SELECT create_distributed_function('madang_run(integer, bigint, text, text, text[])', 'shard_key',
        colocate_with => 'channels', force_delegation => true)`,
      `SELECT create_distributed_function('madang_run_all(integer, bigint[], text, text, text[])', 'shard_key',
        colocate_with => 'channels', force_delegation => true)`,
    ],
  },
  ...["channels", ...tables.map(({ name }) => name)].map((table) => ({
    name: `old rows of ${table} removed from the coordinator`,
    table,
    statements: [`SELECT truncate_local_data_after_distributing_table('${table}')`],
  })),
];

function distribute(table: string, colocated: string): Step {
  const call = `create_distributed_table('${table}', 'shard_key', colocate_with => '${colocated}')`;
  return { name: `${table} moved to the workers`, table, statements: [`SELECT ${call}`] };
}
