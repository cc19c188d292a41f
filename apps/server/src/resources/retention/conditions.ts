import { databaseNow } from "../../db/statement";

const dayMs = 86_400_000;

/** How many days the messages of a channel are kept, in SQL: as the channel says, or else the server. Null: without end. */
export const retentionDays = (channel: string) => `COALESCE(${channel}.retention_days, {retention_days})`;

/**
 * The time from which the messages of a channel are kept, in SQL, for a row of `channels`. Older ones are due: nothing shows
 * them any more, and the sweeper erases them. The clock of the database decides. Where messages have no age limit, or are
 * held, it is 0 without a look at the clock.
 *
 * Every statement that reads messages compares `created_at` with it, which the primary key of messages begins with after
 * the channel.
 */
export const keptSince = (channel: string) =>
  `CASE WHEN ${channel}.is_held OR ${retentionDays(channel)} IS NULL THEN 0
    ELSE ${databaseNow} - ${dayMs}::bigint * ${retentionDays(channel)} END`;

/**
 * A position, but not before the messages that are kept, in SQL: reads that go forward begin after it. With two conditions,
 * PostgreSQL would pass over every due message between the position and the others.
 */
export const afterDue = (since: string, createdAt: string, pk: string) =>
  `(GREATEST(${createdAt}, ${since} - 1), CASE WHEN ${createdAt} >= ${since} THEN ${pk} ELSE ${Number.MAX_SAFE_INTEGER} END)`;
