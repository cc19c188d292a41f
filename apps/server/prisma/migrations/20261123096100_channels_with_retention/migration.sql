-- no-transaction
-- For the job that erases messages by age.
DROP INDEX CONCURRENTLY IF EXISTS "channels_with_retention";
CREATE INDEX CONCURRENTLY "channels_with_retention" ON "channels" ("pk") WHERE "retention_days" IS NOT NULL AND "deleted_at" IS NULL;
