-- The search index becomes a consumer of the feed of events. Servers of the version before see a version that is newer than
-- theirs, and index no more. They still use the tables, which the next version removes.
INSERT INTO "search_positions" ("id", "version", "walked_at", "followed_created_at", "followed_pk")
  VALUES (1, 2147483647, 0, 0, 0) ON CONFLICT ("id") DO UPDATE SET "version" = excluded."version";

-- Later changes are read from the feed.
INSERT INTO "consumers" SELECT 'search', "last_position" FROM "event_ranges" ORDER BY "after_position" DESC LIMIT 1;

-- What has changed before and is not signed yet is indexed again, with all that follows it in its channel.
DELETE FROM "search_blocks" b WHERE EXISTS (
  SELECT FROM "search_changes" c
  WHERE c."channel_pk" = b."channel_pk" AND (c."created_at", c."message_pk") <= (b."last_created_at", b."last_pk"));
