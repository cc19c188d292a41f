-- An audit entry is written here by the transaction of its change, without a queue and a chain of hashes. A server of the version
-- before still writes to the queue: a trigger moves each row here. A later migration drops the queue.
LOCK TABLE "queued_audit_entries" IN SHARE ROW EXCLUSIVE MODE;

CREATE SEQUENCE "audit_entries_number_seq" OWNED BY "audit_entries"."number";
ALTER TABLE "audit_entries"
  DROP COLUMN "hash",
  ADD COLUMN "subject" TEXT,
  ALTER COLUMN "number" SET DEFAULT nextval('audit_entries_number_seq'),
  ALTER COLUMN "at" SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
SELECT setval('audit_entries_number_seq', max("number")) FROM "audit_entries" HAVING max("number") IS NOT NULL;
DROP TABLE "audit_chains";

CREATE FUNCTION "madang_take_queued_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_entries (at, operation, method, status, code, kind, key_id, actor, reason, address, user_id, channel_id,
    message_id)
  SELECT NEW.at, operation, method, status, code, kind, key_id, actor, reason, address, user_id,
    COALESCE(NEW.channel_id, entry.channel_id), COALESCE(NEW.message_created_at || '-' || NEW.message_pk, message_id)
  FROM json_to_record(NEW.entry) AS entry (operation text, method text, status integer, code text, kind text, key_id text,
    actor text, reason text, address text, user_id text, channel_id text, message_id text);
  RETURN NULL;
END $$;
CREATE TRIGGER "queued_audit_entries_take" BEFORE INSERT ON "queued_audit_entries"
  FOR EACH ROW EXECUTE FUNCTION "madang_take_queued_audit_entry"();

-- The rows that wait there now, in their order.
WITH "waiting" AS (DELETE FROM "queued_audit_entries" RETURNING *)
INSERT INTO "queued_audit_entries" SELECT * FROM "waiting" ORDER BY "pk";
