-- no-transaction
-- The table is read while its rows are written. A message that was not imported is not in the index. An interrupted
-- attempt leaves an invalid index, which the next one removes.
DROP INDEX CONCURRENTLY IF EXISTS "messages_external_id_key";
CREATE UNIQUE INDEX CONCURRENTLY "messages_external_id_key" ON "messages" ("channel_pk", "external_id") WHERE "external_id" IS NOT NULL;
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_external_id_length";
