-- A reaction can be any text of 32 characters: an erased one would stay among the samples of PostgreSQL. See
-- 20261123095200_no_statistics_of_texts.
ALTER TABLE "messages" ALTER "reactions" SET STATISTICS 0;
ALTER TABLE "reactions" ALTER "reaction" SET STATISTICS 0;
DO $$
DECLARE
  col record;
BEGIN
  FOR col IN
    SELECT nspname, relname, attname, attrelid, attnum FROM pg_attribute
      JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relnamespace = current_schema()::regnamespace AND attstattarget = 0
      AND (relname, attname) IN (('messages', 'reactions'), ('reactions', 'reaction'))
  LOOP
    IF current_setting('server_version_num')::integer >= 180000 THEN
      PERFORM pg_clear_attribute_stats(col.nspname, col.relname, col.attname, false);
    ELSIF current_setting('is_superuser') = 'on' THEN
      DELETE FROM pg_statistic WHERE starelid = col.attrelid AND staattnum = col.attnum;
    END IF;
  END LOOP;
END $$;
