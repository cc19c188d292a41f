/** A row as the service returns it, such as a user or a message. */
export type Row = Readonly<Record<string, unknown>>;

export type ColumnType = "text" | "integer" | "boolean" | "time" | "json";

/** A column of a CSV or Parquet file, and where its value is in a row: a field, or one of an object in a field. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

/** The column of a text, or of a field that this version does not know. */
export const columnOf = (name: string): Column => ({ name, path: [name], type: "text" });

/** What a newer server adds to a row: the fields that have no column. */
const otherFields: Column = { name: "other_fields", path: ["other_fields"], type: "json" };

/** These columns, and one for all other fields: a file with them has the whole row. */
export const withOtherFields = (columns: readonly Column[]): readonly Column[] => [...columns, otherFields];

/** The values of a row in the order of the columns. */
export function toCells(columns: readonly Column[], row: Row): unknown[] {
  const others = columns.includes(otherFields) ? findOtherFields(columns, row) : undefined;
  return columns.map((column) => (column === otherFields ? others : valueAt(row, column)));
}

/** The row of these cells. A cell without a value leaves its field out. */
export function toRow(columns: readonly Column[], cells: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const value = cells[index];
    if (value === undefined || value === null) continue;
    const [first = "", second] = column.path;
    if (column === otherFields)
      for (const [name, others] of Object.entries(value)) row[name] = mergeFields(row[name], others);
    else if (second === undefined) row[first] = value;
    else row[first] = { ...Object(row[first]), [second]: value };
  }
  return row;
}

function valueAt(row: Row, { path }: Column): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], row);
}

function findOtherFields(columns: readonly Column[], row: Row): Row | undefined {
  const known = fieldsOf(columns);
  const fields = Object.entries(row).flatMap(([name, value]) => {
    const inner = known.get(name);
    if (inner === undefined) return [[name, value]];
    if (inner.size === 0 || !isObject(value)) return [];
    const others = Object.entries(value).filter(([field]) => !inner.has(field));
    return others.length > 0 ? [[name, Object.fromEntries(others)]] : [];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

const known = new WeakMap<readonly Column[], ReadonlyMap<string, ReadonlySet<string>>>();

/** The fields that have columns, each with the inner ones that do. */
function fieldsOf(columns: readonly Column[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = known.get(columns) ?? groupFields(columns);
  known.set(columns, fields);
  return fields;
}

function groupFields(columns: readonly Column[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  for (const { path } of columns) {
    const [first = "", ...inner] = path;
    fields.set(first, new Set([...(fields.get(first) ?? []), ...inner]));
  }
  return fields;
}

const mergeFields = (known: unknown, others: unknown): unknown =>
  isObject(known) && isObject(others) ? { ...known, ...others } : others;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
