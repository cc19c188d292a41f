-- In a transaction of its own: the table is read once, with its readers. A message that was not imported is not in the index.
CREATE UNIQUE INDEX "messages_external_id_key" ON "messages" ("channel_pk", "external_id") WHERE "external_id" IS NOT NULL;
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_external_id_length";
