import pg from "pg";
import type { SchemaMap } from "../citus/schema-map";
import type { Db } from "../db";
import { createPrisma } from "../prisma";
import { clientClassFor } from "./client";
import { type SessionSettings, sessionConfig } from "./session";
import type { OnStatement } from "./time-statement";

export interface DbSettings extends SessionSettings {
  readonly maxConnections: number;
  /** How long to wait for a connection before the database counts as unavailable. */
  readonly connectTimeoutMs: number;
  readonly onIdleError: (error: Error) => void;
  /** Called with the name and the duration of each statement, including the wait for a connection. */
  readonly onStatement?: OnStatement;
  /** Where the channels are, if the database is distributed. */
  readonly schemaMap?: SchemaMap | undefined;
  /** The schema of the tables, apart from those of channels: the first one in the `search_path` of the user. Default: `public`. */
  readonly schema?: string;
}

/** Parses column values as `pg` does, except that 64-bit integers become numbers: times and counts stay far below 2^53. */
const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(pg.types.builtins.INT8, Number);

export function openPool(settings: DbSettings): pg.Pool {
  const pool = new pg.Pool({
    ...sessionConfig(settings),
    Client: clientClassFor(settings.url),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    types: columnTypes,
  });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", settings.onIdleError);
  // So would one that closes between checkout and first use. The first use then fails.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/** What a database offers besides its statements. Prisma shares the pool with the stores. */
export function managePools(
  pool: pg.Pool,
  { maxConnections, onStatement, schema = "public" }: DbSettings,
  listOthers: () => readonly pg.Pool[] = () => [],
): Pick<Db, "prisma" | "maxConnections" | "countConnections" | "close"> {
  const prisma = createPrisma(pool, onStatement, schema);
  return {
    prisma,
    maxConnections,
    countConnections() {
      const sum = (count: (each: pg.Pool) => number) =>
        [pool, ...listOthers()].reduce((total, each) => total + count(each), 0);
      return {
        open: sum(({ totalCount }) => totalCount),
        idle: sum(({ idleCount }) => idleCount),
        waiting: sum(({ waitingCount }) => waitingCount),
      };
    },
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
