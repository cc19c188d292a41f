-- What a page of messages shows of reactions is on the row of the message, so that reading it costs nothing more: an array
-- of pairs, a reaction and its count, in the order of first use. NULL if there are none.
ALTER TABLE "messages"
  ADD COLUMN "reactions" JSONB,
  ADD COLUMN "pinned_at" BIGINT;

-- "position" breaks ties of "created_at"; it is drawn from the sequence of the messages.
CREATE TABLE "reactions" (
  "channel_pk"         BIGINT NOT NULL,
  "message_created_at" BIGINT NOT NULL,
  "message_pk"         BIGINT NOT NULL,
  "reaction"           TEXT   NOT NULL CONSTRAINT "reactions_reaction_length" CHECK (char_length("reaction") BETWEEN 1 AND 32),
  "user_pk"            BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "created_at"         BIGINT NOT NULL,
  "position"           BIGINT NOT NULL DEFAULT nextval('messages_pk_seq'),
  PRIMARY KEY ("channel_pk", "message_created_at", "message_pk", "reaction", "user_pk"),
  CONSTRAINT "reactions_message_fkey" FOREIGN KEY ("channel_pk", "message_created_at", "message_pk")
    REFERENCES "messages" ("channel_pk", "created_at", "pk") ON DELETE CASCADE
);
CREATE INDEX "reactions_by_user" ON "reactions" ("user_pk");
