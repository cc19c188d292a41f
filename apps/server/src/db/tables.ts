/** The names of the tables that belong to channels, with the users. On a shard of a distributed database they differ. */
export interface TableNames {
  readonly channels: string;
  readonly members: string;
  readonly managers: string;
  readonly messages: string;
  readonly events: string;
  readonly users: string;
}

export const plainNames: TableNames = {
  channels: "channels",
  members: "members",
  managers: "managers",
  messages: "messages",
  events: "events",
  users: "users",
};

const named = new WeakMap<TableNames, Map<string, string>>();

/** Fills in the tables of a statement: it names those that belong to channels in braces, as in `FROM {channels} c`. */
export function nameTables(text: string, names: TableNames): string {
  const known = named.get(names) ?? new Map<string, string>();
  named.set(names, known);
  const done =
    known.get(text) ??
    text.replaceAll(/\{(\w+)\}/g, (_, table: string) => {
      const name = new Map(Object.entries(names)).get(table);
      if (name === undefined) throw new Error(`There is no table {${table}}.`);
      return name;
    });
  known.set(text, done);
  return done;
}
