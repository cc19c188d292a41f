-- The same for a distributed database: Citus has no command for it, so it is run on every shard.
ALTER TABLE "users" ALTER "name" SET STATISTICS 0, ALTER "profile_url" SET STATISTICS 0, ALTER "meta" SET STATISTICS 0,
  ALTER "suspension_reason" SET STATISTICS 0;
ALTER TABLE "reports" ALTER "reason" SET STATISTICS 0, ALTER "resolution" SET STATISTICS 0;
ALTER TABLE "events" ALTER "detail" SET STATISTICS 0;
SELECT run_command_on_shards('user_copies', 'ALTER TABLE %s ALTER name SET STATISTICS 0, ALTER profile_url SET STATISTICS 0, ALTER meta SET STATISTICS 0, ALTER suspension_reason SET STATISTICS 0');
SELECT run_command_on_shards('messages', 'ALTER TABLE %s ALTER content SET STATISTICS 0, ALTER file SET STATISTICS 0, ALTER meta SET STATISTICS 0, ALTER external_id SET STATISTICS 0');
SELECT run_command_on_shards('bans', 'ALTER TABLE %s ALTER reason SET STATISTICS 0');
