-- no-transaction
-- Whether a user is deleted and may still have memberships: only then are the members of a channel counted.
CREATE INDEX CONCURRENTLY IF NOT EXISTS user_copies_to_sweep ON user_copies (deleted_at) WHERE needs_sweep;
