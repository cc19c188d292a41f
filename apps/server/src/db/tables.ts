/** The names of the tables that belong to channels, with the users. On a shard of a distributed database they differ. */
export interface TableNames {
  readonly channels: string;
  readonly members: string;
  readonly managers: string;
  readonly mutes: string;
  readonly bans: string;
  readonly messages: string;
  readonly reactions: string;
  readonly search_blocks: string;
  readonly search_changes: string;
  readonly search_positions: string;
  readonly mentions: string;
  readonly events: string;
  readonly queued_audit_entries: string;
  readonly users: string;
}

export const plainNames: TableNames = {
  channels: "channels",
  members: "members",
  managers: "managers",
  mutes: "mutes",
  bans: "bans",
  messages: "messages",
  reactions: "reactions",
  search_blocks: "search_blocks",
  search_changes: "search_changes",
  search_positions: "search_positions",
  mentions: "mentions",
  events: "events",
  queued_audit_entries: "queued_audit_entries",
  users: "users",
};

/** Settings of the server that statements contain. They are constants in them, so one that is not set costs nothing. */
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
