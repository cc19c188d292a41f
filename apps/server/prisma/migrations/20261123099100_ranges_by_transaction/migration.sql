-- no-transaction
-- Finds the range of an event, which is among the first whose snapshot is later than its transaction.
DROP INDEX CONCURRENTLY IF EXISTS "event_ranges_by_transaction";
CREATE INDEX CONCURRENTLY "event_ranges_by_transaction" ON "event_ranges" ("next_transaction_id");
