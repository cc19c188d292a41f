-- The rows that a keyed write returned, stored by the same statement. They replace sealed responses: they contain no key
-- in plain text, and no content of a message. Responses stored before cannot be converted. The lock keeps a server of the
-- earlier version from storing another one between the two statements.
LOCK TABLE "idempotency_keys" IN ACCESS EXCLUSIVE MODE;
DELETE FROM "idempotency_keys";
ALTER TABLE "idempotency_keys" DROP COLUMN "answer", ADD COLUMN "result" JSON NOT NULL;
