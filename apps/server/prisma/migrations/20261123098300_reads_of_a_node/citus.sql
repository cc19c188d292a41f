-- Runs a statement on all shards of a node, in one call. As functions.ts creates it.
CREATE OR REPLACE FUNCTION madang_run_all(shard_key integer, shards bigint[], name text, statement text, parameters text[])
    RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_bitmapscan = off
    SET enable_seqscan = off SET jit = off AS $$
  DECLARE
    row_found record;
    rows_found json[] := '{}';
    arguments text;
    -- Looked up in the session: the view of prepared statements would be built on every call.
    mark text := 'madang.p' || md5(name);
  BEGIN
    PERFORM lock_shard_metadata(5, shards);
    IF (SELECT count(*) FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = ANY (shards))
        <> cardinality(shards) THEN
      RAISE serialization_failure USING MESSAGE = 'The shard is on another node.';
    END IF;
    PERFORM set_config('madang.shard_key', shard_key::text, true);
    IF current_setting(mark, true) IS DISTINCT FROM 'prepared' THEN
      IF NOT EXISTS (SELECT FROM pg_prepared_statements AS prepared WHERE prepared.name = madang_run_all.name) THEN
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
  END $$;
SELECT create_distributed_function('madang_run_all(integer, bigint[], text, text, text[])', 'shard_key',
  colocate_with => 'channels', force_delegation => true);
