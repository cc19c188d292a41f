import pg from "pg";

/** A pool, or one of its connections that is in use already. */
export type Connection = pg.Pool | pg.PoolClient;

/** Runs the work on a connection, and returns it to the pool unless it broke. */
export async function withClient<Result>(
  connection: Connection,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  if (!(connection instanceof pg.Pool)) return work(connection);
  const client = await connection.connect();
  let lost: Error | undefined;
  // A connection that breaks reports it twice, and would end the process if nothing listened.
  const onError = (error: Error) => {
    lost = error;
  };
  client.on("error", onError);
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof Error) {
      if (!(error instanceof pg.DatabaseError)) lost ??= error;
      // The stack ends at the socket; what helps is who called.
      Error.captureStackTrace(error);
    }
    throw error;
  } finally {
    client.off("error", onError);
    // A statement that PostgreSQL rejected leaves the connection intact; any other failure does not.
    client.release(lost);
  }
}
