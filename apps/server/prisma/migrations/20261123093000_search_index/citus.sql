-- The same for a distributed database: each shard has its own progress. There are no foreign keys to the channels: the
-- statements on a whole shard write rows of several channels, with one shard key of the shard.
CREATE TABLE "search_blocks" (
  "channel_pk"      BIGINT  NOT NULL,
  "last_created_at" BIGINT  NOT NULL,
  "last_pk"         BIGINT  NOT NULL,
  "version"         INTEGER NOT NULL,
  "signature"       BYTEA,
  "shard_key"       INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "last_created_at", "last_pk", "shard_key")
);
ALTER TABLE "search_blocks" ALTER COLUMN "signature" SET STORAGE EXTERNAL;
ALTER TABLE "search_blocks" SET (toast_tuple_target = 8160);
SELECT create_distributed_table('search_blocks', 'shard_key', colocate_with => 'channels');

CREATE TABLE "search_changes" (
  "channel_pk" BIGINT NOT NULL,
  "created_at" BIGINT NOT NULL,
  "message_pk" BIGINT NOT NULL,
  "pk"         BIGINT NOT NULL DEFAULT madang_next_pk(),
  "shard_key"  INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "created_at", "message_pk", "pk", "shard_key")
);
SELECT create_distributed_table('search_changes', 'shard_key', colocate_with => 'channels');

CREATE TABLE "search_positions" (
  "id"                  INTEGER NOT NULL,
  "version"             INTEGER NOT NULL,
  "walked_pk"           BIGINT,
  "walked_at"           BIGINT  NOT NULL,
  "followed_created_at" BIGINT  NOT NULL,
  "followed_pk"         BIGINT  NOT NULL,
  "shard_key"           INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("id", "shard_key")
);
SELECT create_distributed_table('search_positions', 'shard_key', colocate_with => 'channels');
