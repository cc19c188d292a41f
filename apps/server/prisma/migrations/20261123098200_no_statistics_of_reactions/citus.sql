-- The same for a distributed database: Citus has no command for it, so it is run on every shard.
SELECT run_command_on_shards('messages', 'ALTER TABLE %s ALTER reactions SET STATISTICS 0');
SELECT run_command_on_shards('reactions', 'ALTER TABLE %s ALTER reaction SET STATISTICS 0');
