import type pg from "pg";
import type { Db, Queryable, Statement } from "../db";
import { openOnlySchema } from "../only-schema";
import { type DbSettings, managePools, openPool } from "../pool";
import { type Connection, createStatementRunner, type SearchedSchema } from "../run-statement";
import { inTransaction, retryIfRolledBack } from "../transaction";
import { type SchemaMap, schemaIndexOf } from "./schema-map";
import { connectToWorkers } from "./workers";

/** Connects to the coordinator, and to the workers that have the schemas of the channels. */
export function connectCitus(settings: DbSettings & { readonly schemaMap: SchemaMap }): Db {
  const pool = openPool(settings);
  const workers = connectToWorkers(settings.url, pool, (url) => openPool({ ...settings, url }));
  const run = createStatementRunner(settings);

  const openSchema = (name: string): Queryable => {
    const schema = searchSchema(name);
    const query = <Row>(connection: Connection, statement: Statement<Row>, values?: readonly unknown[]) =>
      workers.watch(() => run(connection, statement, values, schema));
    const node = {
      connect: () =>
        workers.watch(async () => {
          const client = await (await workers.find(name)).connect();
          // Before BEGIN: a transaction that is rolled back would take it back.
          await schema.search(client).catch((error: Error) => {
            client.release(error);
            throw error;
          });
          return client;
        }),
    };
    return openOnlySchema({
      query: (statement, values) =>
        retryIfRolledBack(async () =>
          query(await workers.watch(() => workers.find(name)), statement, values),
        ),
      transaction: (work) =>
        inTransaction(node, (client) => {
          const tx = openOnlySchema({
            query: (statement, values) => query(client, statement, values),
            transaction: (inner) => inner(tx),
          });
          return work(tx);
        }),
    });
  };

  const schemas = settings.schemaMap.map(openSchema);
  const withSchemas = (runs: Pick<Queryable, "query" | "transaction">): Queryable => ({
    ...runs,
    channel(channelId) {
      const schema = schemas[schemaIndexOf(channelId, schemas.length)];
      if (schema === undefined) throw new Error("The database has no schema for channels.");
      return schema;
    },
    schemas: () => schemas,
    isDistributed: true,
  });
  const { close, ...others } = managePools(pool, settings, workers.listPools);
  return {
    ...withSchemas({
      query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
      transaction: (work) =>
        inTransaction(pool, (client) => {
          const tx = withSchemas({
            query: (statement, values) => run(client, statement, values),
            transaction: (inner) => inner(tx),
          });
          return work(tx);
        }),
    }),
    ...others,
    async close() {
      await workers.close();
      await close();
    },
  };
}

/** The schema that each session searches. */
const searched = new WeakMap<pg.PoolClient, string>();

/** The views of a schema have the plain names of the tables. */
const searchSchema = (name: string): SearchedSchema => ({
  prefix: name.slice(-2),
  async search(client) {
    if (searched.get(client) === name) return;
    await client.query(`SET search_path = local_${name}, public`);
    searched.set(client, name);
  },
});
