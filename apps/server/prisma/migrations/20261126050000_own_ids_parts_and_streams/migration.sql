-- A content has up to 65,536 characters, and none if the message has parts or is being written. Parts are JSON as text, because
-- the length of a text is known without reading it. No step reads the table, so no lock is held for long.
ALTER TABLE "messages"
  ADD COLUMN "parts"         TEXT,
  ADD COLUMN "state"         TEXT,
  ADD COLUMN "finish_digest" BYTEA;
ALTER TABLE "messages" ALTER "parts" SET STATISTICS 0, ALTER "finish_digest" SET STATISTICS 0;
ALTER TABLE "messages" DROP CONSTRAINT "messages_content_length";
ALTER TABLE "messages" ADD CONSTRAINT "messages_content_length" CHECK (char_length("content") <= 65536) NOT VALID;
ALTER TABLE "messages" ADD CONSTRAINT "messages_parts" CHECK ("parts" IS NULL OR "type" <> 'file') NOT VALID;
ALTER TABLE "messages" ADD CONSTRAINT "messages_state" CHECK (
  "state" IS NULL OR ("type" <> 'file' AND "state" IN ('streaming', 'cancelled', 'interrupted'))) NOT VALID;

-- The text of a message that is being written. Number 0 is what it began with, and each append has the next number. They become
-- the content of the message at its end, and are removed.
CREATE TABLE "message_chunks" (
  "channel_pk"         BIGINT  NOT NULL,
  "message_created_at" BIGINT  NOT NULL,
  "message_pk"         BIGINT  NOT NULL,
  "number"             INTEGER NOT NULL,
  "content"            TEXT    NOT NULL,
  -- How many characters the text has with this chunk.
  "characters"         INTEGER NOT NULL CONSTRAINT "message_chunks_characters" CHECK ("characters" <= 65536),
  "created_at"         BIGINT  NOT NULL DEFAULT (EXTRACT(epoch FROM clock_timestamp()) * 1000)::bigint,
  PRIMARY KEY ("message_pk", "number"),
  CONSTRAINT "message_chunks_message_fkey" FOREIGN KEY ("channel_pk", "message_created_at", "message_pk")
    REFERENCES "messages" ("channel_pk", "created_at", "pk") ON DELETE CASCADE
);
ALTER TABLE "message_chunks" ALTER "content" SET STATISTICS 0;
-- The messages that are being written.
CREATE INDEX "message_chunks_first" ON "message_chunks" ("message_pk") WHERE "number" = 0;
