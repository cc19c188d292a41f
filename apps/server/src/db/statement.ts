/** A query that is prepared once per connection, under its name. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never set: it carries the type of the rows. */
  readonly row?: Row;
}
