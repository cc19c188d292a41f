-- With the id of the event, the key of its row, from which a replay begins. A ping and earlier attempts have none.
ALTER TABLE "webhook_attempts" ADD COLUMN "channel_pk" BIGINT;
