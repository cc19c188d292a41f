-- no-transaction
-- The replies to a message, oldest first. A message that is no reply is not in the index. An interrupted attempt leaves
-- an invalid index, which the next one removes.
DROP INDEX CONCURRENTLY IF EXISTS "messages_by_reply";
CREATE INDEX CONCURRENTLY "messages_by_reply" ON "messages"
  ("channel_pk", "reply_to_created_at", "reply_to_pk", "created_at", "pk") WHERE "reply_to_pk" IS NOT NULL;
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_form";
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_reply_to";
