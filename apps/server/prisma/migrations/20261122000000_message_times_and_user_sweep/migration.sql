-- The time of a channel's newest message, NULL while there is none. It is written with the counters, under the channel's
-- lock, and no later message gets an earlier time.
ALTER TABLE "channels" ADD COLUMN "last_message_at" BIGINT;

-- Set when a user is deleted, and cleared when its memberships and manager roles have ended. Before this column they
-- ended in the transaction of the deletion, so no existing row needs it.
ALTER TABLE "users" ADD COLUMN "needs_sweep" BOOLEAN NOT NULL DEFAULT false;
CREATE INDEX "users_to_sweep" ON "users" ("deleted_at") WHERE "needs_sweep";
