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
  "mentions",
  "message_chunks",
  "files",
  "events",
  "idempotency_keys",
  "audit_entries",
  "users",
] as const;

export type Table = (typeof tables)[number];
export type TableNames = Readonly<Record<Table, string>>;

/** The names of all tables. */
export const nameEach = (nameOf: (table: Table) => string) =>
  // TypeScript cannot infer the keys.
  Object.fromEntries(tables.map((table) => [table, nameOf(table)])) as TableNames;

export const plainNames = nameEach((table) => table);

/**
 * Returns a function that fills in the tables of a statement: it names those that belong to channels in braces, as in
 * `FROM {channels} c`.
 */
export function createNamer(names: TableNames): (text: string) => string {
  const byTable = new Map<string, string>(Object.entries(names));
  const known = new Map<string, string>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const named = text.replaceAll(/\{(\w+)\}/g, (_, table: string) => {
      const name = byTable.get(table);
      if (name === undefined) throw new Error(`There is no table {${table}}.`);
      return name;
    });
    known.set(text, named);
    return named;
  };
}
