-- A deleted message is no row any more. Its channel then does not know the time of its last message, and has to look for
-- it; and for a while a replica may still show what was changed.
ALTER TABLE "channels"
  ADD COLUMN "is_last_message_deleted" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "messages_changed_at"     BIGINT;

-- The newest message that the participant has marked as read. While there is none, what came after joining is unread:
-- the time of joining and "position", which from now on is drawn from the sequence of the messages, and so says which
-- messages of that millisecond came later.
ALTER TABLE "members"
  ADD COLUMN "read_created_at" BIGINT,
  ADD COLUMN "read_pk"         BIGINT;
ALTER TABLE "members" ADD CONSTRAINT "members_read_mark" CHECK (("read_created_at" IS NULL) = ("read_pk" IS NULL));
ALTER TABLE "members" ALTER COLUMN "position" SET DEFAULT nextval('messages_pk_seq');
DROP SEQUENCE "members_position_seq";
