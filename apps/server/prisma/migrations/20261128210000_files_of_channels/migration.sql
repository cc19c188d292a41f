-- The files that no message ever had, which go with their channel.
CREATE INDEX "files_unattached_by_channel" ON "files" ("channel_pk")
  WHERE "message_pk" IS NULL AND "attached_at" IS NULL AND "status" <> 'deleted';
