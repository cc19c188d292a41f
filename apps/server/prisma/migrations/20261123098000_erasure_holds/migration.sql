-- "held_messages": how many messages an erasure left because their channels are held.
ALTER TABLE "erasures" ADD COLUMN "held_messages" BIGINT NOT NULL DEFAULT 0;

-- The channels in which an erasure left something because they are held. When a hold ends, the erasure goes on.
CREATE TABLE "erasure_holds" (
  "erasure_pk" BIGINT NOT NULL,
  "channel_pk" BIGINT NOT NULL,
  PRIMARY KEY ("erasure_pk", "channel_pk")
);
CREATE INDEX "erasure_holds_by_channel" ON "erasure_holds" ("channel_pk");
