-- When a user joined and left a channel, or became its manager and ceased to be: as a user, the feed of events has what happened in between.
CREATE INDEX "events_of_roles" ON "events" ("user_pk", "channel_pk", "pk")
  WHERE type IN ('member.joined', 'member.left', 'manager.added', 'manager.removed');
DROP INDEX "events_of_joins";
