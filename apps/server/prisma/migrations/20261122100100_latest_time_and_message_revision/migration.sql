-- The times of messages and of joining have one order per channel, whatever the clocks of the processes show: without it,
-- a message sent after a user joined could get an earlier time, and would not be unread.
-- "last_message_at" becomes the time of the newest message that still exists. It is NULL after that message was deleted.
-- "message_revision" counts edits and deletions. It replaces their time, which a replica could only be compared with
-- approximately.
ALTER TABLE "channels"
  ADD COLUMN "latest_at"        BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "message_revision" BIGINT NOT NULL DEFAULT 0;
UPDATE "channels" c SET
  "latest_at" = GREATEST(c."created_at", c."last_message_at",
    (SELECT max(m."joined_at") FROM "members" m WHERE m."channel_pk" = c."pk")),
  "last_message_at" = CASE WHEN NOT c."is_last_message_deleted" THEN c."last_message_at" END;
ALTER TABLE "channels" DROP COLUMN "is_last_message_deleted", DROP COLUMN "messages_changed_at";
