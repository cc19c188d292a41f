-- A time until which something is in force is 0 when it has no end.
ALTER TABLE "users"
  ADD COLUMN "suspended_until"   BIGINT,
  ADD COLUMN "suspension_reason" TEXT;

-- How many times a user of the channel was muted or banned. A statement that waited for the row sees by it that the
-- mutes and bans that it has read are no longer all.
ALTER TABLE "channels" ADD COLUMN "moderation_revision" BIGINT NOT NULL DEFAULT 0;

-- Not part of the memberships: a mute stays when the user leaves.
CREATE TABLE "mutes" (
  "channel_pk"  BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE,
  "user_pk"     BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "until"       BIGINT NOT NULL,
  PRIMARY KEY ("channel_pk", "user_pk")
);
CREATE INDEX "mutes_by_user" ON "mutes" ("user_pk");

CREATE TABLE "bans" (
  "channel_pk"  BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE,
  "user_pk"     BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "until"       BIGINT NOT NULL,
  "reason"      TEXT CONSTRAINT "bans_reason_length" CHECK (char_length("reason") BETWEEN 1 AND 500),
  "created_at"  BIGINT NOT NULL,
  PRIMARY KEY ("channel_pk", "user_pk")
);
CREATE INDEX "bans_by_user" ON "bans" ("user_pk");
CREATE INDEX "bans_by_creation" ON "bans" ("channel_pk", "created_at", "user_pk");

-- There are no foreign keys: a report outlives its message, and on Citus channels are elsewhere.
CREATE TABLE "reports" (
  "pk"               BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "report_id"        TEXT   NOT NULL,
  "channel_pk"       BIGINT NOT NULL,
  "channel_id"       TEXT   NOT NULL,
  "message_id"       TEXT,
  "reported_pk"      BIGINT,
  "reported_user_id" TEXT,
  "reporter_pk"      BIGINT,
  "reporter_user_id" TEXT,
  "reason"           TEXT   NOT NULL CONSTRAINT "reports_reason_length" CHECK (char_length("reason") BETWEEN 1 AND 500),
  "status"           TEXT   NOT NULL DEFAULT 'open' CONSTRAINT "reports_status" CHECK ("status" IN ('open', 'resolved')),
  "resolution"       TEXT CONSTRAINT "reports_resolution_length" CHECK (char_length("resolution") BETWEEN 1 AND 500),
  "created_at"       BIGINT NOT NULL,
  "updated_at"       BIGINT NOT NULL
);
CREATE UNIQUE INDEX "reports_report_id_key" ON "reports" ("report_id");
CREATE INDEX "reports_by_creation" ON "reports" ("created_at", "pk");
CREATE INDEX "reports_by_status" ON "reports" ("status", "created_at", "pk");
CREATE INDEX "reports_by_channel" ON "reports" ("channel_pk");
CREATE INDEX "reports_by_reported" ON "reports" ("reported_pk") WHERE "reported_pk" IS NOT NULL;
CREATE INDEX "reports_by_reporter" ON "reports" ("reporter_pk") WHERE "reporter_pk" IS NOT NULL;
