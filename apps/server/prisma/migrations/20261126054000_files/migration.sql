-- The files of messages. Their bytes are in the storage; the table says which there are. A file belongs to its channel, and once it was
-- sent to a message. When a message goes, in whatever way, its files lose it, and the background removes them.
CREATE TABLE "files" (
  "pk"                 BIGSERIAL PRIMARY KEY,
  "file_id"            TEXT    NOT NULL,
  "channel_pk"         BIGINT  NOT NULL,
  "user_pk"            BIGINT  REFERENCES "users" ("pk") ON DELETE RESTRICT ON UPDATE NO ACTION,
  "name"               TEXT    NOT NULL,
  "type"               TEXT    NOT NULL,
  "size"               BIGINT  NOT NULL,
  "status"             TEXT    NOT NULL DEFAULT 'waiting' CONSTRAINT "files_status" CHECK ("status" IN ('waiting', 'ready', 'deleted')),
  "created_at"         BIGINT  NOT NULL,
  "attached_at"        BIGINT,
  "message_channel_pk" BIGINT,
  "message_created_at" BIGINT,
  "message_pk"         BIGINT,
  "is_emptied"         BOOLEAN NOT NULL DEFAULT false,
  CONSTRAINT "files_message_fkey" FOREIGN KEY ("message_channel_pk", "message_created_at", "message_pk")
    REFERENCES "messages" ("channel_pk", "created_at", "pk") ON DELETE SET NULL ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "files_file_id_key" ON "files" ("file_id");
CREATE INDEX "files_by_message" ON "files" ("message_channel_pk", "message_created_at", "message_pk") WHERE "message_pk" IS NOT NULL;
CREATE INDEX "files_by_user" ON "files" ("user_pk", "created_at", "pk") WHERE "user_pk" IS NOT NULL;
CREATE INDEX "files_without_message" ON "files" ("attached_at", "created_at") WHERE "message_pk" IS NULL AND "status" <> 'deleted';
CREATE INDEX "files_deleted" ON "files" ("created_at") WHERE "status" = 'deleted';

-- What a message shows of its files: an array of objects. NULL if there are none.
ALTER TABLE "messages" ADD COLUMN "attachments" JSONB;

-- Names would stay among the samples of PostgreSQL. See 20261123095200_no_statistics_of_texts.
ALTER TABLE "messages" ALTER "attachments" SET STATISTICS 0;
ALTER TABLE "files" ALTER "name" SET STATISTICS 0;
