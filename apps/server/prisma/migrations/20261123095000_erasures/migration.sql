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
