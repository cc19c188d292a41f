-- no-transaction
-- The reactions of a user in the order in which it added them, for its export and its erasure.
DROP INDEX CONCURRENTLY IF EXISTS "reactions_by_user_and_time";
CREATE INDEX CONCURRENTLY "reactions_by_user_and_time" ON "reactions" ("user_pk", "created_at", "position");
DROP INDEX CONCURRENTLY IF EXISTS "reactions_by_user";
