-- A webhook belongs to the master key that created it, like a sub key: another master key cannot open its secret.
CREATE TABLE "webhooks" (
  "pk"                    BIGINT   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "webhook_id"            TEXT     NOT NULL,
  "master_id"             BYTEA    NOT NULL,
  "url"                   TEXT     NOT NULL CONSTRAINT "webhooks_url_length" CHECK (char_length("url") BETWEEN 1 AND 2048),
  "types"                 TEXT[]   NOT NULL DEFAULT '{}',
  "description"           TEXT              CONSTRAINT "webhooks_description_length" CHECK (char_length("description") BETWEEN 1 AND 200),
  "is_enabled"            BOOLEAN  NOT NULL DEFAULT true,
  "secret"                BYTEA    NOT NULL,
  "previous_secret"       BYTEA,
  "previous_secret_until" BIGINT,
  "created_at"            BIGINT   NOT NULL,
  "updated_at"            BIGINT   NOT NULL
);
CREATE UNIQUE INDEX "webhooks_webhook_id_key" ON "webhooks" ("webhook_id");
CREATE INDEX "webhooks_by_master" ON "webhooks" ("master_id");

-- No foreign key: deleting a webhook does not wait for the removal of its attempts, which are removed by age.
CREATE TABLE "webhook_attempts" (
  "webhook_pk"  BIGINT  NOT NULL,
  "created_at"  BIGINT  NOT NULL,
  "pk"          BIGINT  GENERATED ALWAYS AS IDENTITY,
  "event_id"    TEXT    NOT NULL,
  "attempt"     INTEGER NOT NULL,
  "status"      INTEGER,
  "duration_ms" INTEGER,
  "error"       TEXT,
  PRIMARY KEY ("webhook_pk", "created_at", "pk")
);
CREATE INDEX "webhook_attempts_by_age" ON "webhook_attempts" ("created_at");
