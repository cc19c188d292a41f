import { otherNode } from "../faults";
import { templateSchema } from "./tables";

/**
 * What `madang-server distribute` creates. Citus creates functions on every node.
 *
 * The tables of a schema are ordinary tables with other names on their node, such as `channels_07.channels_102122`. Views give them
 * their plain names there: PostgreSQL plans every statement as it does without Citus, and Citus does not see it. `madang_here` holds
 * the lock of Citus on the table until the transaction ends, so a move of the schema waits for it. After a move, no statement on the
 * old node takes effect.
 *
 * The copies of the users and of their blocks are reference tables, which every node has. Their columns are those of `users` and `blocks`.
 */
export const createFunctions: readonly string[] = [
  `CREATE OR REPLACE FUNCTION madang_here(of_shard bigint) RETURNS boolean LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM lock_shard_metadata(5, ARRAY[of_shard]);
    IF NOT EXISTS (SELECT FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = of_shard) THEN
      RAISE serialization_failure USING MESSAGE = '${otherNode}';
    END IF;
    RETURN true;
  END $$`,

  `CREATE OR REPLACE FUNCTION madang_make_views(of_schema text) RETURNS void LANGUAGE plpgsql
    SET citus.enable_ddl_propagation = off AS $$
  DECLARE
    found record;
    missing record;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('madang views', 0));
    EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', 'local_' || of_schema);
    EXECUTE format('CREATE SCHEMA %I', 'local_' || of_schema);
    FOR found IN
      SELECT c.oid, relname AS name, shardid, format('%I.%I', 'local_' || of_schema, relname) AS view
      FROM pg_dist_shard JOIN pg_class c ON c.oid = logicalrelid WHERE relnamespace = of_schema::regnamespace
    LOOP
      EXECUTE format('CREATE VIEW %s AS SELECT * FROM %I.%I WHERE (SELECT public.madang_here(%s))', found.view, of_schema,
        found.name || '_' || found.shardid, found.shardid);
      FOR missing IN
        SELECT attname, pg_get_expr(adbin, adrelid) AS value FROM pg_attrdef
        JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum WHERE adrelid = found.oid
      LOOP
        EXECUTE format('ALTER VIEW %s ALTER %I SET DEFAULT %s', found.view, missing.attname, missing.value);
      END LOOP;
    END LOOP;
    EXECUTE format('CREATE VIEW %I.users AS SELECT * FROM public.user_copies_%s', 'local_' || of_schema,
      (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = 'public.user_copies'::regclass));
    EXECUTE format('CREATE VIEW %I.blocks AS SELECT * FROM public.block_copies_%s', 'local_' || of_schema,
      (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = 'public.block_copies'::regclass));
  END $$`,

  // An event without a channel waits with those of the channels, so that all get into the feed in the order of their times.
  `CREATE OR REPLACE FUNCTION madang_hold_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('madang.is_collecting', true) = 'true' THEN
      RETURN NEW;
    END IF;
    INSERT INTO ${templateSchema}.events SELECT NEW.*;
    RETURN NULL;
  END $$`,
];

interface Copied {
  /** The table is its plural. */
  readonly noun: "user" | "block";
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
}

/** A trigger of a table that makes each change on the copies of all nodes, in the same transaction. */
export function createCopying({ noun, columns, key }: Copied): readonly string[] {
  const [table, copies] = [`${noun}s`, `${noun}_copies`] as const;
  const isRow = (row: string) => key.map((column) => `${column} = ${row}.${column}`).join(" AND ");
  return [
    `CREATE OR REPLACE FUNCTION madang_copy_${noun}() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = auto AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO ${copies} (${columns.join(", ")}) VALUES (${columns.map((column) => `NEW.${column}`).join(", ")});
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE ${copies} SET ${columns.map((column) => `${column} = NEW.${column}`).join(", ")} WHERE ${isRow("NEW")};
    ELSE
      DELETE FROM ${copies} WHERE ${isRow("OLD")};
    END IF;
    RETURN NULL;
  END $$`,
    `CREATE OR REPLACE TRIGGER ${table}_copy AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION madang_copy_${noun}()`,
  ];
}
