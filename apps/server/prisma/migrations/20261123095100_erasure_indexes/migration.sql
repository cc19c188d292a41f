-- no-transaction
-- For the messages of one user in all channels, and for the users that were deleted with an id.
DROP INDEX CONCURRENTLY IF EXISTS "messages_by_sender";
CREATE INDEX CONCURRENTLY "messages_by_sender" ON "messages" ("sender_pk", "created_at", "pk");
DROP INDEX CONCURRENTLY IF EXISTS "users_deleted_by_user_id";
CREATE INDEX CONCURRENTLY "users_deleted_by_user_id" ON "users" ("user_id") WHERE "deleted_at" IS NOT NULL;
