-- no-transaction
-- In the order of code points, which a prefix needs in a database of any locale. It also serves the lists of one name.
DROP INDEX CONCURRENTLY IF EXISTS "users_live_by_name_prefix";
CREATE INDEX CONCURRENTLY "users_live_by_name_prefix" ON "users" ("name" COLLATE "C", "created_at", "pk") WHERE "deleted_at" IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS "users_live_by_name";
DROP INDEX CONCURRENTLY IF EXISTS "channels_live_by_name";
CREATE INDEX CONCURRENTLY "channels_live_by_name" ON "channels" ("name" COLLATE "C", "created_at", "pk") WHERE "deleted_at" IS NULL;
