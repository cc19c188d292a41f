-- The same for a distributed database.
ALTER TABLE "messages"
  ADD COLUMN "reactions" JSONB,
  ADD COLUMN "pinned_at" BIGINT;

CREATE TABLE "reactions" (
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  "reaction"           TEXT   NOT NULL CONSTRAINT "reactions_reaction_length" CHECK (char_length("reaction") BETWEEN 1 AND 32),
  "user_pk"            BIGINT NOT NULL,
  "created_at"         BIGINT NOT NULL,
  "position"           BIGINT NOT NULL DEFAULT madang_next_pk(),
  "shard_key"          INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "message_created_at", "message_pk", "reaction", "user_pk", "shard_key")
);
CREATE INDEX "reactions_by_user" ON "reactions" ("user_pk");
SELECT create_distributed_table('reactions', 'shard_key', colocate_with => 'channels');

ALTER TABLE "reactions" ADD CONSTRAINT "reactions_message_fkey"
  FOREIGN KEY ("channel_pk", "message_created_at", "message_pk", "shard_key")
  REFERENCES "messages" ("channel_pk", "created_at", "pk", "shard_key") ON DELETE CASCADE;
ALTER TABLE "reactions" ADD CONSTRAINT "reactions_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES user_copies ("pk");
