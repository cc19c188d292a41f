-- The feed of changes. A row is written by the transaction of its change, and says only what changed: readers get the
-- resource as it is when they read. There are no foreign keys, because an event outlives what it is about.
CREATE TABLE "events" (
  -- 0 for an event that belongs to no channel.
  "channel_pk"         BIGINT NOT NULL DEFAULT 0,
  -- Drawn while the channel is locked: in the order of the effects.
  "pk"                 BIGSERIAL,
  "transaction_id"     BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
  "type"               TEXT   NOT NULL,
  "channel_id"         TEXT,
  "user_pk"            BIGINT,
  "user_id"            TEXT,
  "message_created_at" BIGINT,
  "message_pk"         BIGINT,
  "detail"             JSONB,
  "created_at"         BIGINT NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  PRIMARY KEY ("channel_pk", "pk")
);
CREATE INDEX "events_by_transaction" ON "events" ("transaction_id");

-- The numbers of the events. A row gives the positions after "after_position" up to "last_position" to the events of
-- some transactions, in the order of "pk": those that had committed when the row was made, and had not when the row before
-- it was. "next_transaction_id" and "running_transaction_ids" are the snapshot: all other transactions had ended.
CREATE TABLE "event_ranges" (
  "after_position"          BIGINT   PRIMARY KEY,
  "last_position"           BIGINT   NOT NULL,
  "transaction_ids"         BIGINT[] NOT NULL,
  "next_transaction_id"     BIGINT   NOT NULL,
  "running_transaction_ids" BIGINT[] NOT NULL,
  -- Tells this range from another one that had the same positions, before the database was restored.
  "nonce"                   BIGINT   NOT NULL,
  "created_at"              BIGINT   NOT NULL
);
INSERT INTO "event_ranges" VALUES (-1, 0, '{}', (pg_snapshot_xmax(pg_current_snapshot())::text)::bigint,
  ARRAY(SELECT (pg_snapshot_xip(pg_current_snapshot())::text)::bigint), floor(random() * 4503599627370496)::bigint,
  (extract(epoch FROM now()) * 1000)::bigint);
