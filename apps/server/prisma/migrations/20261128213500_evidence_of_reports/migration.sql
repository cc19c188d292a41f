-- What a reported message was. Its sample would keep texts that an erasure removes.
ALTER TABLE "reports" ADD COLUMN "evidence" JSONB;
ALTER TABLE "reports" ALTER "evidence" SET STATISTICS 0;
CREATE INDEX "reports_with_evidence" ON "reports" ("updated_at") WHERE evidence IS NOT NULL AND status = 'resolved';

-- The users of a channel see the bans of users whom they know.
ALTER TABLE "bans" ADD COLUMN "was_known" BOOLEAN NOT NULL DEFAULT false;
