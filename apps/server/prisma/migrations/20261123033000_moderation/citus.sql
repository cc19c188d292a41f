-- The same for a distributed database. The copies of the users come first: the trigger writes to them.
ALTER TABLE user_copies
  ADD COLUMN "suspended_until"   BIGINT,
  ADD COLUMN "suspension_reason" TEXT;
ALTER TABLE "users"
  ADD COLUMN "suspended_until"   BIGINT,
  ADD COLUMN "suspension_reason" TEXT;

CREATE OR REPLACE FUNCTION madang_copy_user() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = auto AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO user_copies (pk, user_id, name, profile_url, meta, created_at, updated_at, deleted_at, needs_sweep,
        suspended_until, suspension_reason)
      VALUES (NEW.pk, NEW.user_id, NEW.name, NEW.profile_url, NEW.meta, NEW.created_at, NEW.updated_at, NEW.deleted_at,
        NEW.needs_sweep, NEW.suspended_until, NEW.suspension_reason);
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE user_copies SET name = NEW.name, profile_url = NEW.profile_url, meta = NEW.meta,
        updated_at = NEW.updated_at, deleted_at = NEW.deleted_at, needs_sweep = NEW.needs_sweep,
        suspended_until = NEW.suspended_until, suspension_reason = NEW.suspension_reason
      WHERE pk = NEW.pk;
    ELSE
      DELETE FROM user_copies WHERE pk = OLD.pk;
    END IF;
    RETURN NULL;
  END $$;

ALTER TABLE "channels" ADD COLUMN "moderation_revision" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "mutes" (
  "channel_pk"  BIGINT NOT NULL,
  "user_pk"     BIGINT NOT NULL,
  "until"       BIGINT NOT NULL,
  "shard_key"   INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "user_pk", "shard_key")
);
CREATE INDEX "mutes_by_user" ON "mutes" ("user_pk");
SELECT create_distributed_table('mutes', 'shard_key', colocate_with => 'channels');

CREATE TABLE "bans" (
  "channel_pk"  BIGINT NOT NULL,
  "user_pk"     BIGINT NOT NULL,
  "until"       BIGINT NOT NULL,
  "reason"      TEXT CONSTRAINT "bans_reason_length" CHECK (char_length("reason") BETWEEN 1 AND 500),
  "created_at"  BIGINT NOT NULL,
  "shard_key"   INTEGER DEFAULT madang_shard_key(),
  PRIMARY KEY ("channel_pk", "user_pk", "shard_key")
);
CREATE INDEX "bans_by_user" ON "bans" ("user_pk");
CREATE INDEX "bans_by_creation" ON "bans" ("channel_pk", "created_at", "user_pk");
SELECT create_distributed_table('bans', 'shard_key', colocate_with => 'channels');

ALTER TABLE "mutes" ADD CONSTRAINT "mutes_channel_pk_fkey"
  FOREIGN KEY ("channel_pk", "shard_key") REFERENCES "channels" ("pk", "shard_key") ON DELETE CASCADE;
ALTER TABLE "mutes" ADD CONSTRAINT "mutes_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES user_copies ("pk");
ALTER TABLE "bans" ADD CONSTRAINT "bans_channel_pk_fkey"
  FOREIGN KEY ("channel_pk", "shard_key") REFERENCES "channels" ("pk", "shard_key") ON DELETE CASCADE;
ALTER TABLE "bans" ADD CONSTRAINT "bans_user_pk_fkey" FOREIGN KEY ("user_pk") REFERENCES user_copies ("pk");

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
