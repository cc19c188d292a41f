import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { type OnStatement, timeStatement } from "./connection/time-statement";
import { PrismaClient } from "./generated/client";

export type Prisma = ReturnType<typeof createPrisma>;

/**
 * Prisma's client on the pool's connections. Its queries are timed like the stores' statements. Unlike these, it names the schema of each
 * table.
 */
export function createPrisma(pool: pg.Pool, onStatement: OnStatement | undefined, schema: string) {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) }).$extends({
    query: {
      $allOperations: ({ model, operation, args, query }) =>
        timeStatement(`prisma.${model ?? "raw"}.${operation}`, onStatement, () =>
          query(args).catch((error: unknown) => {
            throw addCause(error);
          }),
        ),
    },
  });
}

/** Prisma keeps the error of PostgreSQL in its metadata. As the cause, it decides whether the database is unavailable. */
function addCause(error: unknown): unknown {
  const { cause } = Object(Object(Object(error).meta).driverAdapterError);
  const { originalCode: code, originalMessage: message } = Object(cause);
  if (error instanceof Error && typeof code === "string")
    error.cause ??= Object.assign(new Error(String(message)), { code });
  return error;
}
