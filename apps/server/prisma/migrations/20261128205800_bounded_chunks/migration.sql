-- The text of a message that is being written is in few chunks, each with many appends: whoever reads it reads a bounded number of
-- rows. What is being written during the update becomes one chunk.
ALTER TABLE "message_chunks"
  -- How many characters each append of the chunk has. They are the end of its content.
  ADD COLUMN "lengths"   SMALLINT[] NOT NULL DEFAULT '{}',
  -- When the next append would come from a writer at the highest rate.
  ADD COLUMN "due_at"    BIGINT     NOT NULL DEFAULT 0,
  -- Of the first chunk of a message with a sender.
  ADD COLUMN "sender_pk" BIGINT;

UPDATE "message_chunks" first
SET "content" = whole.content, "lengths" = whole.lengths, "characters" = whole.characters, "created_at" = whole.created_at,
  "sender_pk" = whole.sender_pk
FROM (
  SELECT chunk."message_pk", string_agg(chunk."content", '' ORDER BY "number") AS content, max("characters") AS characters,
    max(chunk."created_at") AS created_at, min(m."sender_pk") AS sender_pk,
    COALESCE(array_agg(char_length(chunk."content")::smallint ORDER BY "number") FILTER (WHERE "number" > 0), '{}') AS lengths
  FROM "message_chunks" chunk
  JOIN "messages" m ON m."channel_pk" = chunk."channel_pk" AND m."created_at" = "message_created_at" AND m."pk" = "message_pk"
  GROUP BY chunk."message_pk") AS whole
WHERE first."message_pk" = whole."message_pk" AND "number" = 0;
DELETE FROM "message_chunks" WHERE "number" > 0;

-- The messages that are being written, by their senders.
DROP INDEX "message_chunks_first";
CREATE INDEX "message_chunks_first" ON "message_chunks" ("sender_pk") WHERE "number" = 0;
-- An append changes the last chunk in place: its page has room for the new version of the row.
ALTER TABLE "message_chunks" SET (fillfactor = 50);
