-- When a user joined a channel, or became its manager: as a user, the feed of events begins there.
CREATE INDEX "events_of_joins" ON "events" ("user_pk", "channel_pk", "pk")
  WHERE type IN ('member.joined', 'manager.added');
