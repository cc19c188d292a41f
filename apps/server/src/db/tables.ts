/** The tables that belong to channels, with the users. On a shard of a distributed database they have other names. */
const tables = [
  "channels",
  "members",
  "managers",
  "mutes",
  "bans",
  "messages",
  "reactions",
  "search_blocks",
  "search_changes",
  "search_positions",
  "mentions",
  "events",
  "queued_audit_entries",
  "users",
] as const;

export type Table = (typeof tables)[number];
export type TableNames = Readonly<Record<Table, string>>;

/** The names of all tables. */
export const nameEach = (nameOf: (table: Table) => string) =>
  // TypeScript cannot infer the keys.
  Object.fromEntries(tables.map((table) => [table, nameOf(table)])) as TableNames;

export const plainNames = nameEach((table) => table);

/** Settings that are constants in the SQL, so unset ones add no cost at run time. */
export interface StatementSettings {
  /** `MADANG_RETENTION_DAYS`, or NULL. */
  readonly retention_days: string;
}

export const statementSettings = (retentionDays: number | undefined): StatementSettings => ({
  retention_days: retentionDays === undefined ? "NULL::integer" : String(retentionDays),
});

const named = new WeakMap<TableNames, Map<string, string>>();

/**
 * Fills in the tables of a statement: it names those that belong to channels in braces, as in `FROM {channels} c`. It does so
 * with settings too; without them, they are not set.
 */
export function nameTables(text: string, names: TableNames & Partial<StatementSettings>): string {
  const known = named.get(names) ?? new Map<string, string>();
  named.set(names, known);
  const done =
    known.get(text) ??
    text.replaceAll(/\{(\w+)\}/g, (_, table: string) => {
      const name = new Map(Object.entries({ ...statementSettings(undefined), ...names })).get(table);
      if (name === undefined) throw new Error(`There is no table {${table}}.`);
      return name;
    });
  known.set(text, done);
  return done;
}
