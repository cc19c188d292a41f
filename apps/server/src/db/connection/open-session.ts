import type pg from "pg";
import type { KeyedTurns } from "../../turns/keyed-turns";
import type { Db, Tx } from "../db";
import { inTransaction, retryIfRolledBack } from "../transaction";
import type { RunStatement } from "./run-statement";

type Runs = Pick<Db, "query" | "transaction" | "takeTurn">;

/** The database as stores use it, on the connections of a pool. `complete` adds where the rows of channels are. */
export function openSession(
  pool: Pick<pg.Pool, "connect">,
  run: RunStatement,
  channelTurns: KeyedTurns,
  complete: (runs: Runs) => Db,
): Db {
  return complete({
    query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
    takeTurn: (channelId, write) => channelTurns.run(channelId, write),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx: Tx = {
          ...complete({
            query: (statement, values) => run(client, statement, values),
            transaction: (inner) => inner(tx),
            takeTurn: (_channelId, write) => write(),
          }),
          isTransaction: true,
        };
        return work(tx);
      }),
  });
}

/** A database that has the rows of all its channels itself. */
export function openOnlySchema(runs: Runs): Db {
  const session: Db = {
    ...runs,
    channel: () => session,
    schemas: () => [session],
    isDistributed: false,
  };
  return session;
}
