-- Reads the table while its rows are written.
ALTER TABLE "messages" VALIDATE CONSTRAINT "messages_content_length";
