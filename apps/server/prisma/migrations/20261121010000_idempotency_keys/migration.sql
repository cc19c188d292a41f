-- The answers of requests that came with an Idempotency-Key, each written in the transaction of its effect. The answer
-- is sealed, because that of a created sub key holds the key. It is NULL only within the transaction that fills it.
CREATE TABLE "idempotency_keys" (
  "caller"      TEXT   NOT NULL,
  "key"         TEXT   NOT NULL CONSTRAINT "idempotency_keys_key_form" CHECK ("key" ~ '^[\x21-\x7e]{1,255}$'),
  "fingerprint" BYTEA  NOT NULL,
  "answer"      BYTEA,
  "created_at"  BIGINT NOT NULL,
  PRIMARY KEY ("caller", "key")
);
CREATE INDEX "idempotency_keys_by_age" ON "idempotency_keys" ("created_at");
