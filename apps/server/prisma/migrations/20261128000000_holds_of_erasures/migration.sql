-- NULL: nothing is left because of a hold. 0: what is left are no messages, but reactions, mentions or reports.
ALTER TABLE "erasures" ALTER COLUMN "held_messages" DROP DEFAULT, ALTER COLUMN "held_messages" DROP NOT NULL;
UPDATE "erasures" SET "held_messages" = NULL WHERE "held_messages" = 0;
