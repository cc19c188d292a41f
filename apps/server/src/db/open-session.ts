import type pg from "pg";
import type { Queryable } from "./db";
import type { RunStatement } from "./run-statement";
import { inTransaction, retryIfRolledBack } from "./transaction";

/** The database as stores use it, on the connections of a pool. `complete` adds where the rows of channels are. */
export function openSession(
  pool: Pick<pg.Pool, "connect">,
  run: RunStatement,
  complete: (runs: Pick<Queryable, "query" | "transaction">) => Queryable,
): Queryable {
  return complete({
    query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx = complete({
          query: (statement, values) => run(client, statement, values),
          transaction: (inner) => inner(tx),
        });
        return work(tx);
      }),
  });
}
