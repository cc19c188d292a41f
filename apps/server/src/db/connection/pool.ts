import pg from "pg";
import { KeyedTurns } from "../../turns/keyed-turns";
import { type Hold, Resource } from "../../turns/resource";
import type { SchemaMap } from "../citus/schema-map";
import type { Database } from "../db";
import { createPrisma } from "../prisma";
import { clientClassFor } from "./client";
import { lockTimeoutMs, type SessionSettings, sessionConfig } from "./session";
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

/** A pool whose connections clients share: each waits for its turn before it waits for a connection. */
export class SharedPool extends pg.Pool {
  readonly resource: Resource;
  readonly #holds = new WeakMap<pg.PoolClient, Hold>();

  constructor(config: pg.PoolConfig & { readonly max: number; readonly connectionTimeoutMillis: number }) {
    super(config);
    this.resource = new Resource({
      name: "connections",
      what: "connections to the database",
      total: config.max,
      maxWaitMs: maxWaits * config.connectionTimeoutMillis,
    });
    this.on("release", (_error, client) => this.#holds.get(client)?.release());
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    // `query` of the pool, and Prisma, pass a callback.
    connected.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const hold = await this.resource.take();
    try {
      const client = await super.connect();
      this.#holds.set(client, hold);
      return client;
    } catch (error) {
      hold.release();
      throw error;
    }
  }
}

/** A turn may take longer than a connection: those before it run their statements. */
const maxWaits = 1.5;

type ConnectCallback = Parameters<typeof pg.Pool.prototype.connect>[0];

export function openPool(settings: DbSettings): SharedPool {
  const pool = new SharedPool({
    ...sessionConfig(settings),
    Client: clientClassFor(settings.url),
    max: settings.maxConnections,
    // Statements that do not wait for each other are sent at once.
    pipeline: true,
    connectionTimeoutMillis: settings.connectTimeoutMs,
    types: columnTypes,
  });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", settings.onIdleError);
  // So would one that closes between checkout and first use. The first use then fails.
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

/** A write waits for its turn as long as it would wait for the row of its channel. */
export const createChannelTurns = (settings: SessionSettings) =>
  new KeyedTurns({
    name: "channels",
    what: "simultaneous changes of one channel",
    maxWaitMs: lockTimeoutMs(settings),
  });

/** What a database offers besides its statements. Prisma shares the pool with the stores. */
export function managePools(
  pool: SharedPool,
  { maxConnections, onStatement, schema = "public" }: DbSettings,
  channelTurns: KeyedTurns,
  listOthers: () => readonly SharedPool[] = () => [],
): Pick<Database, "prisma" | "maxConnections" | "countConnections" | "listResources" | "close"> {
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
      };
    },
    listResources: () => [...[pool, ...listOthers()].map(({ resource }) => resource), channelTurns],
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
