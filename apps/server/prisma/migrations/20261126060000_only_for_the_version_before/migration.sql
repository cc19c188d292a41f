-- What only servers of the version before the consumers, the search index in the feed and the audit entries of changes still used.
DROP VIEW "usage_positions";
DROP TABLE "search_changes", "search_positions", "queued_audit_entries";
DROP FUNCTION "madang_take_queued_audit_entry"();
ALTER TABLE "webhooks" DROP COLUMN "position";
ALTER TABLE "channels" DROP COLUMN "message_revision";
