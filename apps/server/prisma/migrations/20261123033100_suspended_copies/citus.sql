-- no-transaction
-- It contains what a deletion and a suspension change: they then wait, on every node, for the transactions that have locked
-- the copy of the user there. The one before it contained only what a deletion changes.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS user_copies_ends ON user_copies (pk, deleted_at, suspended_until);
DROP INDEX CONCURRENTLY IF EXISTS user_copies_deletion;
