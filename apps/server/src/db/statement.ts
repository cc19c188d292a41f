/** A query that PostgreSQL plans once per connection: it is prepared there under its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}
