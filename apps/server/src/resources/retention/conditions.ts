import { databaseNow } from "../../db/statement";

const dayMs = 86_400_000;

/** The retention in days, in SQL: of the channel, or else of the server. Null: messages are kept forever. */
export const retentionDays = (channel: string) => `COALESCE(${channel}.retention_days, {retention_days})`;

/**
 * The time before which the messages of a channel have expired, in SQL, for a row of `channels`; 0 if they do not expire or are
 * held. The clock of the database decides. No statement returns expired messages, and the sweeper erases them.
 *
 * Every statement that reads messages compares `created_at` with it. The primary key of messages begins with the channel and
 * `created_at`, so expired rows are not read.
 */
export const keptSince = (channel: string) =>
  `CASE WHEN ${channel}.is_held OR ${retentionDays(channel)} IS NULL THEN 0
    ELSE ${databaseNow} - ${dayMs}::bigint * ${retentionDays(channel)} END`;

/**
 * The later one of a position and the last expired message, in SQL, as the start of a read in ascending order. With two separate
 * conditions, PostgreSQL would read every expired message after the position.
 */
export const afterDue = (since: string, createdAt: string, pk: string) =>
  `(GREATEST(${createdAt}, ${since} - 1), CASE WHEN ${createdAt} >= ${since} THEN ${pk} ELSE ${Number.MAX_SAFE_INTEGER} END)`;
