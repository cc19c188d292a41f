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

/**
 * Returns a function that fills in the tables of a statement: it names those that belong to channels in braces, as in
 * `FROM {channels} c`. It does so with settings too.
 */
export function createNamer(
  names: TableNames,
  settings = statementSettings(undefined),
): (text: string) => string {
  const values = new Map(Object.entries({ ...names, ...settings }));
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const named = text.replaceAll(/\{(\w+)\}/g, (_, table: string) => {
      const value = values.get(table);
      if (value === undefined) throw new Error(`There is no table {${table}}.`);
      return value;
    });
    known.set(text, named);
    return named;
  };
}
