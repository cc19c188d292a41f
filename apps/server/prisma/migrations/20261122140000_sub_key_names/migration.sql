-- All are NULL for a key without a label, without an expiry, or that was never used.
ALTER TABLE "sub_keys"
    ADD COLUMN "label" TEXT,
    ADD COLUMN "expires_at" BIGINT,
    ADD COLUMN "last_used_at" BIGINT;
