import { connectCitus } from "./citus/connect";
import type { Db } from "./db";
import { openOnlySchema } from "./only-schema";
import { type DbSettings, managePools, openPool } from "./pool";
import { createStatementRunner } from "./run-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";

export function connect(settings: DbSettings): Db {
  const { schemaMap } = settings;
  return schemaMap === undefined ? connectPlain(settings) : connectCitus({ ...settings, schemaMap });
}

function connectPlain(settings: DbSettings): Db {
  const pool = openPool(settings);
  const run = createStatementRunner(settings);
  const session = openOnlySchema({
    query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx = openOnlySchema({
          query: (statement, values) => run(client, statement, values),
          transaction: (inner) => inner(tx),
        });
        return work(tx);
      }),
  });
  return { ...session, ...managePools(pool, settings) };
}
