-- How far each consumer has read the feed of events: "usage", and each webhook by its id.
CREATE TABLE "consumers" (
  "name"     TEXT   NOT NULL PRIMARY KEY,
  "position" BIGINT NOT NULL
);
INSERT INTO "consumers" SELECT 'usage', "position" FROM "usage_positions";
INSERT INTO "consumers" SELECT "webhook_id", "position" FROM "webhooks";

-- Servers of the version before go on counting at the same position, so that nothing is counted twice.
DROP TABLE "usage_positions";
CREATE VIEW "usage_positions" AS SELECT "position" FROM "consumers" WHERE "name" = 'usage';
