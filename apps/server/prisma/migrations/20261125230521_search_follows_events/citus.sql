-- The same for a distributed database, where everything is indexed again.
UPDATE "search_positions" SET "version" = 2147483647;
INSERT INTO "consumers" SELECT 'search', "last_position" FROM "event_ranges" ORDER BY "after_position" DESC LIMIT 1;
DELETE FROM "search_blocks";
