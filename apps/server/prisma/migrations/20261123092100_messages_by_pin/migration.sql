-- no-transaction
-- The pins of a channel. A message that is not pinned is not in the index.
DROP INDEX CONCURRENTLY IF EXISTS "messages_by_pin";
CREATE INDEX CONCURRENTLY "messages_by_pin" ON "messages" ("channel_pk", "pinned_at") WHERE "pinned_at" IS NOT NULL;
