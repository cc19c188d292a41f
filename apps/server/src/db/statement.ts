/** A query that is prepared once per connection, under its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/**
 * The current time in milliseconds since the Unix epoch, in SQL. What expires for every process expires by this clock: that
 * of one process may be wrong.
 */
export const databaseNow = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";
