import pg from "pg";
import { isConnectionLost } from "../faults";

/**
 * Runs the work on a connection of the pool, and then returns it unless it broke. After an error that left the connection
 * usable, such as that of a statement that PostgreSQL rejected, `undo` runs first.
 */
export async function borrow<Result>(
  pool: Pick<pg.Pool, "connect">,
  work: (client: pg.PoolClient) => Promise<Result>,
  undo?: (client: pg.PoolClient) => Promise<unknown>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    // The pool itself does not see that a connection is silent. Such a connection does not respond to `undo` either.
    if (isConnectionLost(error)) broken = error;
    // After an error of its own, `pg` may not know which statements are prepared.
    else if (undo === undefined && !(error instanceof pg.DatabaseError)) broken = error as Error;
    else
      await undo?.(client).catch((failure: Error) => {
        broken = failure;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}
