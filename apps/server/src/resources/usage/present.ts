import type { UsageRow } from "./store";

/** A day without a row has zeros. */
export const presentDay = (day: Date, row: UsageRow | undefined) => ({
  day: day.toISOString().slice(0, 10),
  users_created: row?.usersCreated ?? 0,
  users_deleted: row?.usersDeleted ?? 0,
  channels_created: row?.channelsCreated ?? 0,
  messages_sent: row?.messagesSent ?? 0,
  messages_imported: row?.messagesImported ?? 0,
  messages_deleted: row?.messagesDeleted ?? 0,
});
