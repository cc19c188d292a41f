export const kinds = ["users", "channels", "members", "managers", "messages"] as const;
export type Kind = (typeof kinds)[number];

/** A row as the service returns it, such as a user or a message. */
export type Row = Readonly<Record<string, unknown>>;

/** Resources of the SDK as rows: they are plain data, whose interfaces have no index signature. */
export const asRows = (resources: readonly object[]): readonly Row[] => resources as readonly Row[];

export type ColumnType = "text" | "integer" | "boolean" | "time" | "json";

/** A column of a CSV or Parquet file, and where its value is in a row. */
export interface Column {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

const column = (name: string, type: ColumnType = "text", path: readonly string[] = [name]): Column => ({
  name,
  path,
  type,
});
const times = [column("created_at", "time"), column("updated_at", "time")];
const profile = [column("name"), column("profile_url"), column("meta", "json")];
const entry = [column("channel_id"), column("user_id"), column("name"), column("joined_at", "time")];

/** The columns of the lists that can be printed as CSV. */
export const csvLists: Readonly<Record<string, readonly Column[]>> = {
  "audit.list": [
    column("entry_id"),
    column("at", "time"),
    column("operation"),
    column("method"),
    column("status", "integer"),
    column("code"),
    column("kind"),
    column("acting_user_id"),
    column("key_id"),
    column("actor"),
    column("reason"),
    column("address"),
    column("user_id"),
    column("channel_id"),
    column("message_id"),
    column("subject"),
  ],
};

/** The columns of each kind of file. NDJSON has the rows as the service returns them. */
export const tables: Readonly<Record<Kind, readonly Column[]>> = {
  users: [column("user_id"), ...profile, column("suspended_until", "time"), ...times],
  channels: [
    column("channel_id"),
    ...profile,
    column("freeze", "boolean"),
    column("retention_days", "integer", ["retention", "days"]),
    column("retention_hold", "boolean", ["retention", "hold"]),
    column("total_message_count", "integer"),
    column("total_file_count", "integer"),
    ...times,
  ],
  members: [...entry, column("muted_until", "time")],
  managers: entry,
  messages: [
    column("message_id"),
    column("channel_id"),
    column("external_id"),
    column("user_id", "text", ["user", "user_id"]),
    column("user_name", "text", ["user", "name"]),
    column("user_profile_url", "text", ["user", "profile_url"]),
    column("user_meta", "json", ["user", "meta"]),
    column("type"),
    column("content"),
    column("parts", "json"),
    column("file_type", "text", ["file", "type"]),
    column("file_name", "text", ["file", "name"]),
    column("file_url", "text", ["file", "url"]),
    column("file_size", "integer", ["file", "size"]),
    column("meta", "json"),
    column("reactions", "json"),
    column("pinned_at", "time"),
    column("reply_to"),
    column("reply_count", "integer"),
    column("mentions", "json"),
    column("edited_at", "time"),
    ...times,
  ],
};

/** The field that names a row of a kind. */
export const idFields: Readonly<Record<Kind, string>> = {
  users: "user_id",
  channels: "channel_id",
  members: "user_id",
  managers: "user_id",
  messages: "message_id",
};

/** Whether the service lists a kind newest first. Participants and managers are listed by the time of joining. */
export const isNewestFirst = (kind: Kind): boolean => kind !== "members" && kind !== "managers";

/** The value of a column in a row. */
export function valueAt(row: Row, { path }: Column): unknown {
  return path.reduce<unknown>((value, name) => Object(value)[name], row);
}

/** The row of these cells. A cell without a value leaves its field out. */
export function toRow(columns: readonly Column[], cells: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, { path }] of columns.entries()) {
    const value = cells[index];
    if (value === undefined || value === null) continue;
    const [first = "", second] = path;
    if (second === undefined) row[first] = value;
    else row[first] = { ...Object(row[first]), [second]: value };
  }
  return row;
}

/** A row of a file and the line that it begins in. In Parquet, the number of the row. */
export interface RowEntry {
  readonly line: number;
  readonly row: Row;
}

/** What is wrong with a line of a file. Line 0 is the file as a whole. */
export interface Problem {
  readonly line: number;
  readonly problem: string;
}

export function explainUnknownColumn(line: number, name: string, columns: readonly Column[]): Problem {
  const known = columns.map((column) => column.name).join(", ");
  return { line, problem: `the column ${JSON.stringify(name)} is unknown. The columns are: ${known}.` };
}
