-- no-transaction
-- Searches find the changes that their index has not consumed.
DROP INDEX CONCURRENTLY IF EXISTS "events_of_changes";
CREATE INDEX CONCURRENTLY "events_of_changes" ON "events" ("transaction_id")
  WHERE "type" IN ('message.updated', 'messages.imported');
