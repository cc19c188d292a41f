-- Times are milliseconds since the Unix epoch, UTC. Keys named "pk" are ours; keys named "..._id" are the callers'.

-- How many pairs a metadata object holds; NULL for anything that is no object, which the checks below refuse.
CREATE FUNCTION "meta_pair_count"(meta jsonb) RETURNS integer
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN CASE WHEN jsonb_typeof(meta) = 'object'
              THEN (SELECT count(*)::integer FROM jsonb_object_keys(meta)) END;

CREATE TABLE "users" (
  "pk"          BIGSERIAL PRIMARY KEY,
  "user_id"     TEXT   NOT NULL CONSTRAINT "users_user_id_form" CHECK ("user_id" ~ '^[a-z0-9_]{4,80}$'),
  "name"        TEXT   NOT NULL CONSTRAINT "users_name_length" CHECK (char_length("name") BETWEEN 1 AND 80),
  "profile_url" TEXT            CONSTRAINT "users_profile_url_length" CHECK (char_length("profile_url") BETWEEN 1 AND 2048),
  "meta"        JSONB  NOT NULL DEFAULT '{}' CONSTRAINT "users_meta_pairs" CHECK (COALESCE("meta_pair_count"("meta"), 11) <= 10),
  "created_at"  BIGINT NOT NULL,
  "updated_at"  BIGINT NOT NULL,
  "deleted_at"  BIGINT
);
CREATE UNIQUE INDEX "users_live_user_id_key" ON "users" ("user_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "users_live_by_creation" ON "users" ("created_at", "pk") WHERE "deleted_at" IS NULL;
CREATE INDEX "users_live_by_name" ON "users" ("name", "created_at", "pk") WHERE "deleted_at" IS NULL;

CREATE TABLE "channels" (
  "pk"                    BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "channel_id"            TEXT    NOT NULL CONSTRAINT "channels_channel_id_form" CHECK ("channel_id" ~ '^[a-z0-9_]{4,80}$'),
  "name"                  TEXT    NOT NULL CONSTRAINT "channels_name_length" CHECK (char_length("name") BETWEEN 1 AND 150),
  "profile_url"           TEXT             CONSTRAINT "channels_profile_url_length" CHECK (char_length("profile_url") BETWEEN 1 AND 2048),
  "meta"                  JSONB   NOT NULL DEFAULT '{}' CONSTRAINT "channels_meta_pairs" CHECK (COALESCE("meta_pair_count"("meta"), 11) <= 10),
  "is_frozen"             BOOLEAN NOT NULL DEFAULT false,
  "total_message_count"   BIGINT  NOT NULL DEFAULT 0,
  "total_file_count"      BIGINT  NOT NULL DEFAULT 0,
  "member_count"          INTEGER NOT NULL DEFAULT 0 CONSTRAINT "channels_member_limit" CHECK ("member_count" BETWEEN 0 AND 100),
  "manager_count"         INTEGER NOT NULL DEFAULT 0 CONSTRAINT "channels_manager_limit" CHECK ("manager_count" BETWEEN 0 AND 10),
  "first_participant_pk"  BIGINT  REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "second_participant_pk" BIGINT  REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "is_pair_only"          BOOLEAN NOT NULL DEFAULT true,
  "created_at"            BIGINT  NOT NULL,
  "updated_at"            BIGINT  NOT NULL,
  "deleted_at"            BIGINT,
  CONSTRAINT "channels_counts" CHECK ("total_file_count" BETWEEN 0 AND "total_message_count"),
  CONSTRAINT "channels_pair" CHECK ("first_participant_pk" <> "second_participant_pk" AND NOT ("first_participant_pk" IS NULL AND "second_participant_pk" IS NOT NULL))
);
CREATE UNIQUE INDEX "channels_live_channel_id_key" ON "channels" ("channel_id") WHERE "deleted_at" IS NULL;
CREATE INDEX "channels_live_by_creation" ON "channels" ("created_at", "pk") WHERE "deleted_at" IS NULL;
CREATE INDEX "channels_live_by_pair" ON "channels" ("first_participant_pk", "second_participant_pk") WHERE "deleted_at" IS NULL AND "is_pair_only";
CREATE INDEX "channels_to_sweep" ON "channels" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

CREATE TABLE "members" (
  "channel_pk" BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE,
  "user_pk"    BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "joined_at"  BIGINT NOT NULL,
  "position"   BIGSERIAL,
  PRIMARY KEY ("channel_pk", "user_pk")
);
CREATE INDEX "members_by_user" ON "members" ("user_pk");

CREATE TABLE "managers" (
  "channel_pk" BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE CASCADE,
  "user_pk"    BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "joined_at"  BIGINT NOT NULL,
  "position"   BIGSERIAL,
  PRIMARY KEY ("channel_pk", "user_pk")
);
CREATE INDEX "managers_by_user" ON "managers" ("user_pk");

-- The primary key is the order of the export, and begins with the channel, by which the table can be distributed.
CREATE TABLE "messages" (
  "channel_pk" BIGINT NOT NULL REFERENCES "channels" ("pk") ON DELETE RESTRICT,
  "created_at" BIGINT NOT NULL,
  "pk"         BIGSERIAL,
  "sender_pk"  BIGINT NOT NULL REFERENCES "users" ("pk") ON DELETE RESTRICT,
  "type"       TEXT   NOT NULL,
  "content"    TEXT            CONSTRAINT "messages_content_length" CHECK (char_length("content") BETWEEN 1 AND 8192),
  "file"       JSONB,
  "meta"       JSONB  NOT NULL DEFAULT '{}' CONSTRAINT "messages_meta_pairs" CHECK (COALESCE("meta_pair_count"("meta"), 11) <= 10),
  "updated_at" BIGINT NOT NULL,
  PRIMARY KEY ("channel_pk", "created_at", "pk"),
  CONSTRAINT "messages_form" CHECK (
    ("type" = 'text' AND "content" IS NOT NULL AND "file" IS NULL) OR
    ("type" = 'file' AND "content" IS NULL AND "file" IS NOT NULL))
);

CREATE TABLE "sub_keys" (
  "pk"         BIGSERIAL PRIMARY KEY,
  "master_id"  BYTEA  NOT NULL,
  "digest"     BYTEA  NOT NULL,
  "sealed"     BYTEA  NOT NULL,
  "created_at" BIGINT NOT NULL
);
CREATE UNIQUE INDEX "sub_keys_digest_key" ON "sub_keys" ("digest");
CREATE INDEX "sub_keys_by_master" ON "sub_keys" ("master_id");

CREATE TABLE "secrets" (
  "name"  TEXT  PRIMARY KEY,
  "value" BYTEA NOT NULL
);
