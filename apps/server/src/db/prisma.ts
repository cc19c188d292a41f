import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { PrismaClient } from "./generated/client";
import { type OnStatement, timeStatement } from "./time-statement";

export type Prisma = ReturnType<typeof createPrisma>;

/** Prisma's client on the connections of the pool, its queries timed like the statements of the stores. */
export function createPrisma(pool: pg.Pool, onStatement: OnStatement | undefined) {
  return new PrismaClient({ adapter: new PrismaPg(pool) }).$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        timeStatement(`prisma.${model ?? "raw"}.${operation}`, onStatement, () => query(args)),
    },
  });
}
