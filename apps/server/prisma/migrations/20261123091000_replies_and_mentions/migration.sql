-- A reply says which message it answers by its position. The message may be deleted since, so there is no foreign key.
-- A message says how many replies to it exist, and names the users that it mentions: null if it mentions none. A system
-- message has no sender. No step reads the table, so no lock is held for long.
ALTER TABLE "messages"
  ADD COLUMN "edited_at"           BIGINT,
  ADD COLUMN "reply_to_created_at" BIGINT,
  ADD COLUMN "reply_to_pk"         BIGINT,
  ADD COLUMN "reply_count"         INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "mentions"            JSONB;
ALTER TABLE "messages" ALTER COLUMN "sender_pk" DROP NOT NULL;
ALTER TABLE "messages" DROP CONSTRAINT "messages_form";
ALTER TABLE "messages" ADD CONSTRAINT "messages_form" CHECK (
  ("type" = 'text' AND "sender_pk" IS NOT NULL AND "content" IS NOT NULL AND "file" IS NULL) OR
  ("type" = 'file' AND "sender_pk" IS NOT NULL AND "content" IS NULL AND "file" IS NOT NULL) OR
  ("type" = 'system' AND "sender_pk" IS NULL AND "content" IS NOT NULL AND "file" IS NULL)) NOT VALID;
ALTER TABLE "messages" ADD CONSTRAINT "messages_reply_to" CHECK (
  ("reply_to_created_at" IS NULL) = ("reply_to_pk" IS NULL) AND "reply_count" >= 0) NOT VALID;

-- The same mentions by user, to count them. Users are no foreign key: a message does not lock the users it mentions.
CREATE TABLE "mentions" (
  "channel_pk"         BIGINT  NOT NULL,
  "message_created_at" BIGINT  NOT NULL,
  "message_pk"         BIGINT  NOT NULL,
  "user_pk"            BIGINT  NOT NULL,
  -- Whether the sender mentions itself, which is not counted.
  "is_own"             BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY ("channel_pk", "message_created_at", "message_pk", "user_pk"),
  CONSTRAINT "mentions_message_fkey" FOREIGN KEY ("channel_pk", "message_created_at", "message_pk")
    REFERENCES "messages" ("channel_pk", "created_at", "pk") ON DELETE CASCADE
);
CREATE INDEX "mentions_by_user" ON "mentions" ("user_pk", "channel_pk", "message_created_at", "message_pk");
