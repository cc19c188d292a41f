import type pg from "pg";
import { openOnlySchema, openSession } from "../connection/open-session";
import { createChannelTurns, type DbSettings, managePools, openPool } from "../connection/pool";
import { createStatementRunner } from "../connection/run-statement";
import type { Database, Db } from "../db";
import { type SchemaMap, schemaIndexOf } from "./schema-map";
import { connectToWorkers } from "./workers";

/** Connects to the coordinator, and to the workers that have the schemas of the channels. */
export function connectCitus(settings: DbSettings & { readonly schemaMap: SchemaMap }): Database {
  const pool = openPool(settings);
  const workers = connectToWorkers(settings.url, pool, (url) => openPool({ ...settings, url }));
  const run = createStatementRunner(settings);
  const channelTurns = createChannelTurns(settings);

  const openSchema = (name: string): Db => {
    const connect = async () => searchSchema(await (await workers.find(name)).connect(), name);
    // The same statement of another schema has another plan.
    const prefix = `${name.slice(-2)} `;
    return openSession(
      { connect: () => workers.watch(connect) },
      (connection, statement, values) => workers.watch(() => run(connection, statement, values, prefix)),
      channelTurns,
      openOnlySchema,
    );
  };

  const schemas = settings.schemaMap.map(openSchema);
  const session = openSession(pool, run, channelTurns, (runs) => ({
    ...runs,
    channel(channelId) {
      const schema = schemas[schemaIndexOf(channelId, schemas.length)];
      if (schema === undefined) throw new Error("The database has no schema for channels.");
      return schema;
    },
    schemas: () => schemas,
    isDistributed: true,
  }));
  const { close, ...others } = managePools(pool, settings, channelTurns, workers.listPools);
  return {
    ...session,
    ...others,
    async close() {
      await workers.close();
      await close();
    },
  };
}

/** The schema that each session searches. */
const searched = new WeakMap<pg.PoolClient, string>();

/**
 * The views of a schema have the plain names of the tables. A session searches it before BEGIN: a transaction that is rolled
 * back would take it back.
 */
async function searchSchema(client: pg.PoolClient, name: string): Promise<pg.PoolClient> {
  if (searched.get(client) === name) return client;
  await client.query(`SET search_path = local_${name}, public`).catch((error: Error) => {
    client.release(error);
    throw error;
  });
  searched.set(client, name);
  return client;
}
