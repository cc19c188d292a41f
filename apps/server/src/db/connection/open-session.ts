import type pg from "pg";
import type { KeyedTurns } from "../../turns/keyed-turns";
import type { Db, Tx } from "../db";
import { inTransaction, retryIfRolledBack } from "../transaction";
import { borrow } from "./borrow";
import type { RunStatement } from "./run-statement";
import { type SessionSettings, statementsTimeoutMs } from "./session";

type Runs = Pick<Db, "query" | "queryLocked" | "transaction" | "takeTurn">;

/** The database as stores use it, on the connections of a pool. `complete` adds where the rows of channels are. */
export function openSession(
  pool: Pick<pg.Pool, "connect">,
  run: RunStatement,
  settings: SessionSettings,
  channelTurns: KeyedTurns,
  complete: (runs: Runs) => Db,
): Db {
  return complete({
    query: (statement, values) => retryIfRolledBack(() => run(pool, statement, values)),
    queryLocked: (lock, change, maxLockWaitMs) =>
      retryIfRolledBack(() =>
        borrow(pool, async (client) => {
          const limit = { queryTimeoutMs: statementsTimeoutMs(settings, 2) };
          const begin = maxLockWaitMs === undefined ? "" : `; SET LOCAL lock_timeout = ${maxLockWaitMs}`;
          // All are sent at once. After one that failed, PostgreSQL rejects the others, and rolls back.
          const steps = [
            client.query(`BEGIN${begin}`),
            run(client, ...lock, limit),
            run(client, ...change, limit),
            client.query({ text: "COMMIT", ...{ query_timeout: limit.queryTimeoutMs } }),
          ] as const;
          await Promise.allSettled(steps);
          // Rejects with the error of the first one that failed.
          const [, , rows] = await Promise.all(steps);
          return rows;
        }),
      ),
    takeTurn: (channelId, write) => channelTurns.run(channelId, write),
    transaction: (work) =>
      inTransaction(pool, (client) => {
        const tx: Tx = {
          ...complete({
            query: (statement, values) => run(client, statement, values),
            async queryLocked(lock, change) {
              await run(client, ...lock);
              return run(client, ...change);
            },
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
