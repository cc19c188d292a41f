-- The same for a distributed database.
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

CREATE TABLE "mentions" (
  "channel_pk"         BIGINT  NOT NULL,
  "message_created_at" BIGINT  NOT NULL,
  "message_pk"         BIGINT  NOT NULL,
  "user_pk"            BIGINT  NOT NULL,
  "is_own"             BOOLEAN NOT NULL DEFAULT false,
  "shard_key"          INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "message_created_at", "message_pk", "user_pk", "shard_key")
);
CREATE INDEX "mentions_by_user" ON "mentions" ("user_pk", "channel_pk", "message_created_at", "message_pk");
SELECT create_distributed_table('mentions', 'shard_key', colocate_with => 'channels');
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_message_fkey"
  FOREIGN KEY ("channel_pk", "message_created_at", "message_pk", "shard_key")
  REFERENCES "messages" ("channel_pk", "created_at", "pk", "shard_key") ON DELETE CASCADE;
