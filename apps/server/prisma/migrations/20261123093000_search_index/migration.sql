-- The index of the search. A row is a block of consecutive messages of a channel: it ends with the message of its key and
-- begins after the block before. The background writes it, sends do not. Without a signature, the block is read directly.
CREATE TABLE "search_blocks" (
  "channel_pk"      BIGINT  NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE ON UPDATE NO ACTION,
  "last_created_at" BIGINT  NOT NULL,
  "last_pk"         BIGINT  NOT NULL,
  "version"         INTEGER NOT NULL,
  "signature"       BYTEA,
  PRIMARY KEY ("channel_pk", "last_created_at", "last_pk")
);
-- A signature is compared in the page of its row: compressed or elsewhere, it would have to be unpacked first.
ALTER TABLE "search_blocks" ALTER COLUMN "signature" SET STORAGE EXTERNAL;
ALTER TABLE "search_blocks" SET (toast_tuple_target = 8160);

-- Messages that were edited, or imported before the newest message, since their block was signed.
CREATE TABLE "search_changes" (
  "channel_pk" BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE ON UPDATE NO ACTION,
  "created_at" BIGINT NOT NULL,
  "message_pk" BIGINT NOT NULL,
  "pk"         BIGINT NOT NULL DEFAULT nextval('messages_pk_seq'),
  PRIMARY KEY ("channel_pk", "created_at", "message_pk", "pk")
);

-- One row: how far the background has indexed. "walked_pk": the channels up to this one, or null at the end, which was
-- reached at "walked_at". "followed_created_at", "followed_pk": the new messages up to this one.
CREATE TABLE "search_positions" (
  "id"                  INTEGER NOT NULL PRIMARY KEY,
  "version"             INTEGER NOT NULL,
  "walked_pk"           BIGINT,
  "walked_at"           BIGINT  NOT NULL,
  "followed_created_at" BIGINT  NOT NULL,
  "followed_pk"         BIGINT  NOT NULL
);
