-- What was done on each day (UTC), counted from the events.
CREATE TABLE "usage_days" (
  "day"               DATE   NOT NULL PRIMARY KEY,
  "users_created"     BIGINT NOT NULL DEFAULT 0,
  "users_deleted"     BIGINT NOT NULL DEFAULT 0,
  "channels_created"  BIGINT NOT NULL DEFAULT 0,
  "messages_sent"     BIGINT NOT NULL DEFAULT 0,
  "messages_imported" BIGINT NOT NULL DEFAULT 0,
  "messages_deleted"  BIGINT NOT NULL DEFAULT 0
);

-- One row: the events up to this position of the feed are counted.
CREATE TABLE "usage_positions" (
  "is_only"  BOOLEAN NOT NULL DEFAULT true PRIMARY KEY CONSTRAINT "usage_positions_is_only" CHECK ("is_only"),
  "position" BIGINT  NOT NULL
);
INSERT INTO "usage_positions" ("position") VALUES (0);
