-- An erasure visits everything that is left of its users, so it stores no stage and no notes of holds, and it is running while a channel
-- is on hold. The version before stops erasing, but continues to accept erasures.
UPDATE "erasures" SET "status" = 'running', "completed_at" = NULL
  WHERE "status" = 'done' AND "pk" IN (SELECT "erasure_pk" FROM "erasure_holds");
DROP TABLE "erasure_holds";
ALTER TABLE "erasures" DROP COLUMN "stage", DROP COLUMN "cursor", DROP COLUMN "clean_before";

UPDATE "users" SET "user_id" = '~deleted' WHERE "user_id" = 'deleted' AND "deleted_at" IS NOT NULL
  AND "pk" IN (SELECT "user_pk" FROM "erased_users" JOIN "erasures" ON "erasures"."pk" = "erasure_pk" WHERE "status" = 'done');
