-- The user as whom a sub key acts.
ALTER TABLE "sub_keys" ADD COLUMN "user_pk" BIGINT;

ALTER TABLE "audit_entries" ADD COLUMN "acting_user_id" TEXT;

-- Ends the tokens that were created for a user before. The tokens themselves are not stored.
CREATE TABLE "token_revocations" (
  "pk" BIGSERIAL NOT NULL,
  "user_pk" BIGINT NOT NULL,
  "transaction_id" BIGINT NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
  "created_at" BIGINT NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,

  CONSTRAINT "token_revocations_pkey" PRIMARY KEY ("pk")
);
CREATE INDEX "token_revocations_by_transaction" ON "token_revocations" ("transaction_id");
CREATE INDEX "token_revocations_by_user" ON "token_revocations" ("user_pk", "pk");
CREATE INDEX "token_revocations_by_time" ON "token_revocations" ("created_at");
