-- The sender of the reported message: the reason may quote it, so an erasure finds the report also after the message was deleted.
ALTER TABLE "reports" ADD COLUMN "message_sender_pk" BIGINT;
CREATE INDEX "reports_by_message_sender" ON "reports" ("message_sender_pk") WHERE "message_sender_pk" IS NOT NULL;
