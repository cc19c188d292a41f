const createRun = (
  name: string,
  shards: string,
  ifElsewhere: string,
) => `CREATE OR REPLACE FUNCTION ${name}(shard_key integer, ${shards}, name text, statement text, parameters text[])
    RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off
    SET enable_seqscan = off SET jit = off AS $$
  DECLARE
    row_found record;
    rows_found json[] := '{}';
    arguments text;
    -- Looked up in the session: the view of prepared statements would be built on every call.
    mark text := 'madang.p' || md5(name);
  BEGIN
    ${ifElsewhere}
      RAISE serialization_failure USING MESSAGE = 'The shard is on another node.';
    END IF;
    PERFORM set_config('madang.shard_key', shard_key::text, true);
    IF current_setting(mark, true) IS DISTINCT FROM 'prepared' THEN
      IF NOT EXISTS (SELECT FROM pg_prepared_statements AS prepared WHERE prepared.name = ${name}.name) THEN
        IF statement IS NULL THEN
          RETURN NULL;
        END IF;
        EXECUTE format('PREPARE %I AS %s', name, statement);
      END IF;
      PERFORM set_config(mark, 'prepared', false);
    END IF;
    SELECT '(' || string_agg(quote_nullable(parameter), ',' ORDER BY number) || ')' INTO arguments
      FROM unnest(parameters) WITH ORDINALITY AS given (parameter, number);
    FOR row_found IN EXECUTE format('EXECUTE %I%s', name, arguments) LOOP
      rows_found := rows_found || to_json(row_found);
    END LOOP;
    RETURN array_to_json(rows_found);
  END $$`;

/**
 * What `madang-server distribute` installs on every node.
 *
 * `madang_run` runs a statement on the tables of one shard, on the node that has it: there they are ordinary tables, so
 * the statement is the same as on a database that is not distributed. Citus sends the call to that node. The lock makes a
 * move of the shard wait for the transaction, and the call for a move; if the shard is elsewhere then, the statement has
 * changed nothing and is run again.
 *
 * `madang_run_all` is the same for a read of all shards of a node. Such a statement is long: it is sent only if the result is
 * null, because the session has not prepared it yet.
 *
 * The columns that a statement does not mention get their values from functions, because Citus gives the tables of a shard
 * no default from a sequence. Keys of different nodes come from different ranges of the sequence.
 */
export const createFunctions: readonly string[] = [
  `CREATE OR REPLACE FUNCTION madang_next_pk() RETURNS bigint LANGUAGE sql AS $$SELECT nextval('messages_pk_seq')$$`,

  `CREATE OR REPLACE FUNCTION madang_shard_key() RETURNS integer LANGUAGE sql STABLE
    AS $$SELECT current_setting('madang.shard_key')::integer$$`,

  createRun(
    "madang_run",
    "shard bigint",
    `PERFORM lock_shard_metadata(5, ARRAY[shard]);
    IF NOT EXISTS (SELECT FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = shard) THEN`,
  ),

  createRun(
    "madang_run_all",
    "shards bigint[]",
    `PERFORM lock_shard_metadata(5, shards);
    IF (SELECT count(*) FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = ANY (shards))
        <> cardinality(shards) THEN`,
  ),

  // No parameter has the name of a column: PL/pgSQL rejects ambiguous names.
  `CREATE OR REPLACE FUNCTION madang_hold_event() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('madang.is_collecting', true) = 'true' THEN
      RETURN NEW;
    END IF;
    INSERT INTO coordinator_events (channel_pk, type, channel_id, user_pk, user_id, message_created_at, message_pk,
      detail, created_at)
    VALUES (NEW.channel_pk, NEW.type, NEW.channel_id, NEW.user_pk, NEW.user_id, NEW.message_created_at,
      NEW.message_pk, NEW.detail, NEW.created_at);
    RETURN NULL;
  END $$`,

  `CREATE OR REPLACE FUNCTION madang_copy_user() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = auto AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO user_copies (pk, user_id, name, profile_url, meta, created_at, updated_at, deleted_at, needs_sweep,
        suspended_until, suspension_reason)
      VALUES (NEW.pk, NEW.user_id, NEW.name, NEW.profile_url, NEW.meta, NEW.created_at, NEW.updated_at, NEW.deleted_at,
        NEW.needs_sweep, NEW.suspended_until, NEW.suspension_reason);
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE user_copies SET user_id = NEW.user_id, name = NEW.name, profile_url = NEW.profile_url, meta = NEW.meta,
        updated_at = NEW.updated_at, deleted_at = NEW.deleted_at, needs_sweep = NEW.needs_sweep,
        suspended_until = NEW.suspended_until, suspension_reason = NEW.suspension_reason
      WHERE pk = NEW.pk;
    ELSE
      DELETE FROM user_copies WHERE pk = OLD.pk;
    END IF;
    RETURN NULL;
  END $$`,
];
