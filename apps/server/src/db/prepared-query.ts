import pg from "pg";
import type { Statement } from "./db";
import { toParameter } from "./parameter";

type Settle<Row> = (error: Error | null, rows: Row[]) => void;
type Parser = (text: string) => unknown;

/** What a row of a statement looks like: the same on every connection, for as long as its text is the same. */
interface Shape {
  readonly names: readonly string[];
  /** Undefined for text, which is taken as it arrives. */
  readonly parsers: readonly (Parser | undefined)[];
}

const shapes = new Map<string, Shape>();

/**
 * A statement that `pg` runs with less work than its own query: what its rows look like is asked once and not with
 * every call, which spares PostgreSQL and Node a message each, and a row is built from it directly.
 */
export class PreparedQuery<Row> implements pg.Submittable {
  /** By name and text `pg` keeps track of what each connection has prepared. */
  readonly name: string;
  readonly text: string;
  // `pg` replaces it to watch the time.
  callback: Settle<Row>;
  readonly #values: readonly unknown[];
  #rows: Row[] = [];

  constructor({ name, text }: Statement<Row>, values: readonly unknown[], callback: Settle<Row>) {
    this.name = name;
    this.text = text;
    this.#values = values;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    const { name, text } = this;
    // Kept by `pg`, and in no type.
    const { parsedStatements } = connection as pg.Connection & { parsedStatements: Record<string, string> };
    const isPrepared = parsedStatements[name] !== undefined;
    connection.stream.cork();
    if (!isPrepared) connection.parse({ name, text, types: [] }, true);
    // A bound method: `pg` takes what is already text or bytes as it is.
    connection.bind({ statement: name, values: this.#values.map(toParameter) }, true);
    if (!isPrepared || !shapes.has(name)) connection.describe({ type: "P" }, true);
    connection.execute({}, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    shapes.set(this.name, {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => findParser(dataTypeID)),
    });
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const shape = shapes.get(this.name);
    if (shape === undefined) throw new Error(`PostgreSQL answered ${this.name} before it said with what.`);
    const { names, parsers } = shape;
    const row: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) {
      const text = fields[index] ?? null;
      const parse = parsers[index];
      row[name] = text === null || parse === undefined ? text : parse(text);
    }
    // The statement says the type of its rows; the tests of its store hold it to that.
    this.#rows.push(row as Row);
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

const { BOOL, INT4, INT8, TEXT, VARCHAR, JSON: JSON_TEXT, JSONB } = pg.types.builtins;

/** 64-bit integers arrive as numbers: times and counts stay far below 2^53. */
export function findParser(oid: number): Parser | undefined {
  switch (oid) {
    case TEXT:
    case VARCHAR:
      return undefined;
    case INT4:
    case INT8:
      return Number;
    case BOOL:
      return (text) => text === "t";
    case JSON_TEXT:
    case JSONB:
      return parseJson;
    default:
      return pg.types.getTypeParser(oid, "text");
  }
}

/** Most metadata is empty. Callers may change what they get, so each gets its own. */
const parseJson = (text: string): unknown => (text === "{}" ? {} : JSON.parse(text));
