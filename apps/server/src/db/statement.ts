/** A query that is prepared once per connection, under its name. */
export interface Statement<Row> {
  readonly name: string;
  /**
   * SQL. The tables that belong to channels are in braces, as in `channels`: they have other names on a shard, which runs
   * only statements that return rows.
   */
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/**
 * A read of all shards of a node at once. The text is `before`, then `ofShard` once per shard with `UNION ALL` between, then
 * `after`. Only `ofShard` may name tables that differ by shard, but `users` may be anywhere: every node has the same copy.
 */
export interface UnionStatement<Row> {
  readonly name: string;
  readonly before: string;
  readonly ofShard: string;
  readonly after: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}

/**
 * The current time in milliseconds since the Unix epoch, in SQL. What expires for every process expires by this clock: that
 * of one process may be wrong.
 */
export const databaseNow = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint";
