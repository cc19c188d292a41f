-- Apart from the change of the table, whose lock would keep readers out while the rows are written.
UPDATE "channels" SET "last_message_at" = (
    SELECT max("created_at") FROM "messages" WHERE "messages"."channel_pk" = "channels"."pk")
WHERE "deleted_at" IS NULL AND "total_message_count" > 0;
