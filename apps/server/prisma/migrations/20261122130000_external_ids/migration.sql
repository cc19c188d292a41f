-- The id that a message had where it was imported from. Neither step reads the table, so neither lock is held for long.
ALTER TABLE "messages" ADD COLUMN "external_id" TEXT;
ALTER TABLE "messages"
  ADD CONSTRAINT "messages_external_id_length" CHECK (char_length("external_id") BETWEEN 1 AND 100) NOT VALID;
