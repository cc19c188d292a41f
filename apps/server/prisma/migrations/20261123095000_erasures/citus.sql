-- The same for a distributed database, where the copies of the users also lose their ids.
-- "stage" is what the background job does next, and "cursor" how far it is in that. "clean_before": what was stored about
-- the users elsewhere was stored before it.
CREATE TABLE "erasures" (
  "pk"                 BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "erasure_id"         TEXT   NOT NULL,
  "user_id"            TEXT   NOT NULL,
  "messages"           TEXT   NOT NULL CONSTRAINT "erasures_messages" CHECK ("messages" IN ('erase', 'keep')),
  "status"             TEXT   NOT NULL DEFAULT 'running' CONSTRAINT "erasures_status" CHECK ("status" IN ('running', 'done')),
  "erased_messages"    BIGINT NOT NULL DEFAULT 0,
  "erased_memberships" BIGINT NOT NULL DEFAULT 0,
  "erased_channels"    BIGINT NOT NULL DEFAULT 0,
  "stage"              TEXT   NOT NULL DEFAULT 'roles',
  "cursor"             JSONB  NOT NULL DEFAULT '{}',
  "clean_before"       BIGINT,
  "created_at"         BIGINT NOT NULL,
  "completed_at"       BIGINT
);
CREATE UNIQUE INDEX "erasures_erasure_id_key" ON "erasures" ("erasure_id");
CREATE INDEX "erasures_by_creation" ON "erasures" ("created_at", "pk");
CREATE INDEX "erasures_running" ON "erasures" ("pk") WHERE "status" = 'running';
CREATE INDEX "erasures_by_user" ON "erasures" ("user_id");

-- The users whose erasure has begun, with their ids, which their rows lose. No foreign keys: there is nothing to check.
CREATE TABLE "erased_users" (
  "user_pk"    BIGINT PRIMARY KEY,
  "user_id"    TEXT   NOT NULL,
  "erasure_pk" BIGINT NOT NULL
);
CREATE INDEX "erased_users_by_user_id" ON "erased_users" ("user_id");

-- The channels in which a running erasure has erased something, so that each counts once.
CREATE TABLE "erasure_channels" (
  "erasure_pk" BIGINT NOT NULL,
  "channel_pk" BIGINT NOT NULL,
  PRIMARY KEY ("erasure_pk", "channel_pk")
);

CREATE OR REPLACE FUNCTION madang_copy_user() RETURNS trigger LANGUAGE plpgsql SET plan_cache_mode = auto AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO user_copies (pk, user_id, name, profile_url, meta, created_at, updated_at, deleted_at, needs_sweep,
        suspended_until, suspension_reason)
      VALUES (NEW.pk, NEW.user_id, NEW.name, NEW.profile_url, NEW.meta, NEW.created_at, NEW.updated_at, NEW.deleted_at,
        NEW.needs_sweep, NEW.suspended_until, NEW.suspension_reason);
    ELSIF TG_OP = 'UPDATE' THEN
      UPDATE user_copies SET user_id = NEW.user_id, name = NEW.name, profile_url = NEW.profile_url, meta = NEW.meta,
        updated_at = NEW.updated_at, deleted_at = NEW.deleted_at, needs_sweep = NEW.needs_sweep,
        suspended_until = NEW.suspended_until, suspension_reason = NEW.suspension_reason
      WHERE pk = NEW.pk;
    ELSE
      DELETE FROM user_copies WHERE pk = OLD.pk;
    END IF;
    RETURN NULL;
  END $$;
