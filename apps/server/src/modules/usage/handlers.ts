import { contract, limits } from "@madang/contract";
import { defineHandlers } from "../../call/handlers";
import type { ChatDeps } from "../../chat/deps";
import { listUsage, type UsageRow } from "./store";

const dayMs = 86_400_000;

export const usageHandlers = ({ now }: ChatDeps) =>
  defineHandlers(contract.usage, {
    daily: async ({ query: { days: count = limits.usageDays.default }, db }) => {
      const first = Math.floor(now() / dayMs) - (count - 1);
      const days = Array.from({ length: count }, (_, index) => new Date((first + index) * dayMs));
      const used = new Map((await listUsage(db, days)).map((row) => [row.day.getTime(), row]));
      return {
        status: 200,
        body: { days: days.map((day) => presentDay(day, used.get(day.getTime()))) },
      };
    },
  });

/** A day without a row has zeros. */
const presentDay = (day: Date, row: UsageRow | undefined) => ({
  day: day.toISOString().slice(0, 10),
  users_created: row?.usersCreated ?? 0,
  users_deleted: row?.usersDeleted ?? 0,
  channels_created: row?.channelsCreated ?? 0,
  messages_sent: row?.messagesSent ?? 0,
  messages_imported: row?.messagesImported ?? 0,
  messages_deleted: row?.messagesDeleted ?? 0,
});
