-- How many days messages are kept; null: as MADANG_RETENTION_DAYS says. While a channel is held, nothing in it is deleted by age
-- or by the erasure of a person.
ALTER TABLE "channels"
  ADD COLUMN "retention_days" INTEGER,
  ADD COLUMN "is_held"        BOOLEAN NOT NULL DEFAULT false;
