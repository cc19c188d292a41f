-- no-transaction
-- For the search over all channels. Sends write to its end.
DROP INDEX CONCURRENTLY IF EXISTS "messages_by_time";
CREATE INDEX CONCURRENTLY "messages_by_time" ON "messages" ("created_at", "pk");
