-- PostgreSQL keeps samples of analyzed columns: an erased name or text would stay among them. No plan needs those of these
-- columns. The samples taken before are removed where that is allowed: by a superuser, and since PostgreSQL 18 by the owner.
ALTER TABLE "users" ALTER "name" SET STATISTICS 0, ALTER "profile_url" SET STATISTICS 0, ALTER "meta" SET STATISTICS 0,
  ALTER "suspension_reason" SET STATISTICS 0;
ALTER TABLE "messages" ALTER "content" SET STATISTICS 0, ALTER "file" SET STATISTICS 0, ALTER "meta" SET STATISTICS 0,
  ALTER "external_id" SET STATISTICS 0;
ALTER TABLE "bans" ALTER "reason" SET STATISTICS 0;
ALTER TABLE "reports" ALTER "reason" SET STATISTICS 0, ALTER "resolution" SET STATISTICS 0;
ALTER TABLE "events" ALTER "detail" SET STATISTICS 0;
DO $$
DECLARE
  col record;
BEGIN
  FOR col IN
    SELECT nspname, relname, attname, attrelid, attnum FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relnamespace = current_schema()::regnamespace AND attstattarget = 0
      AND relname IN ('users', 'messages', 'bans', 'reports', 'events')
  LOOP
    IF current_setting('server_version_num')::integer >= 180000 THEN
      PERFORM pg_clear_attribute_stats(col.nspname, col.relname, col.attname, false);
    ELSIF current_setting('is_superuser') = 'on' THEN
      DELETE FROM pg_statistic WHERE starelid = col.attrelid AND staattnum = col.attnum;
    END IF;
  END LOOP;
END $$;
