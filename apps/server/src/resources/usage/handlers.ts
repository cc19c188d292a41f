import { contract, limits } from "@madang/contract";
import { initServer } from "@ts-rest/express";
import type { Deps } from "../deps";
import { presentDay } from "./present";
import { listUsage } from "./store";

const dayMs = 86_400_000;

export const usageHandlers = ({ db, now }: Deps) =>
  initServer().router(contract.usage, {
    daily: async ({ query: { days: count = limits.usageDays.default } }) => {
      const first = Math.floor(now() / dayMs) - (count - 1);
      const days = Array.from({ length: count }, (_, index) => new Date((first + index) * dayMs));
      const used = new Map((await listUsage(db, days)).map((row) => [row.day.getTime(), row]));
      return {
        status: 200,
        body: { days: days.map((day) => presentDay(day, used.get(day.getTime()))) },
      };
    },
  });
