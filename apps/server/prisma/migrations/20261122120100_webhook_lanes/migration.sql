-- "position": the events up to this position of the feed are assigned to lanes. "failing_since": the time of the first
-- failure after the last success.
ALTER TABLE "webhooks" ADD COLUMN "position" BIGINT NOT NULL DEFAULT 0, ADD COLUMN "failing_since" BIGINT;

-- What a webhook still has to get of a channel: the channel's events after "done_pk" up to "through_pk". An event that
-- belongs to no channel has a lane of its own, with its key in "event_pk". There are no foreign keys: the lanes of a
-- deleted webhook are removed in steps.
CREATE TABLE "webhook_lanes" (
  "webhook_pk" BIGINT  NOT NULL,
  "channel_pk" BIGINT  NOT NULL,
  "event_pk"   BIGINT  NOT NULL,
  "done_pk"    BIGINT  NOT NULL,
  "through_pk" BIGINT  NOT NULL,
  -- The failed attempts to deliver the event after "done_pk".
  "attempt"    INTEGER NOT NULL DEFAULT 0,
  -- When the next attempt is due. While an attempt is under way: until when it may take.
  "due_at"     BIGINT  NOT NULL,
  "is_claimed" BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY ("webhook_pk", "channel_pk", "event_pk")
);
CREATE INDEX "webhook_lanes_by_due_time" ON "webhook_lanes" ("webhook_pk", "due_at");
