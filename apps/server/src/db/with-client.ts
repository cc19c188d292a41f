import pg from "pg";

/** A pool, or a connection that is already checked out. */
export type Connection = pg.Pool | pg.PoolClient;

/** Runs the work on a connection and then returns it to the pool, unless it broke. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  if (!(connection instanceof pg.Pool)) return work(connection);
  const client = await connection.connect();
  let lost: Error | undefined;
  // A connection that breaks also emits `error`, which would crash the process without a listener.
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Error) {
      if (!(error instanceof pg.DatabaseError)) lost ??= error;
      // Replaces the stack, which ends at the socket, with that of the caller.
      Error.captureStackTrace(error);
    }
    throw error;
  } finally {
    client.off("error", onError);
    // A statement that PostgreSQL rejected leaves the connection usable; any other error does not.
    client.release(lost);
  }
}
