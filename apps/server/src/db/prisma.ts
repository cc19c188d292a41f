import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./generated/client";
import { type OnStatement, timeStatement } from "./time-statement";

export type Prisma = ReturnType<typeof createPrisma>;

/** Prisma's client on the pool's connections. Its queries are timed like the stores' statements. */
export function createPrisma(pool: pg.Pool, onStatement: OnStatement | undefined) {
  return new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        timeStatement(`prisma.${model ?? "raw"}.${operation}`, onStatement, () => query(args)),
    },
  });
}
