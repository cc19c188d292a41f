import { lists } from "../../generated/lists";
import { type Column, columnOf, type Row, withOtherFields } from "./column";

export const kinds = [
  "users",
  "channels",
  "members",
  "managers",
  "bans",
  "blocks",
  "preferences",
  "messages",
] as const;
export type Kind = (typeof kinds)[number];

/** Resources of the SDK as rows: they are plain data, whose interfaces have no index signature. */
export const asRows = (resources: readonly object[]): readonly Row[] => resources as readonly Row[];

/** The entries of a channel do not name it. */
const ofChannel = columnOf("channel_id");
/** Who is banned is in the file of users. */
const ofBans = lists["channels.bans.list"].filter(({ path: [first] }) => first !== "user");
/** The same of who is blocked. */
const ofBlocks = lists["users.blocks.list"].filter(({ path: [first] }) => first !== "user");
/** Of a line of an inbox, what its user has set. */
const ofPreferences = lists["users.channels"].flatMap(({ path: [first, name], type }): Column[] =>
  first === "preferences" && name !== undefined ? [{ name, path: [name], type }] : [],
);

/** The columns of each kind of file: those of the list that is exported. NDJSON has the rows as the service returns them. */
export const tables: Readonly<Record<Kind, readonly Column[]>> = {
  users: withOtherFields(lists["users.list"]),
  channels: withOtherFields(lists["channels.list"]),
  members: withOtherFields([ofChannel, ...lists["channels.members.list"]]),
  managers: withOtherFields([ofChannel, ...lists["channels.managers.list"]]),
  bans: withOtherFields([ofChannel, columnOf("user_id"), ...ofBans]),
  blocks: withOtherFields([columnOf("user_id"), columnOf("blocked_user_id"), ...ofBlocks]),
  preferences: withOtherFields([columnOf("user_id"), ofChannel, ...ofPreferences]),
  messages: withOtherFields(lists["exports.messages"]),
};

/** The columns of a list that can be printed as CSV. */
export const columnsOfList = (operationId: string): readonly Column[] | undefined =>
  new Map<string, readonly Column[]>(Object.entries(lists)).get(operationId);

/** The field that names a row of a kind. */
export const idFields: Readonly<Record<Kind, string>> = {
  users: "user_id",
  channels: "channel_id",
  members: "user_id",
  managers: "user_id",
  bans: "user_id",
  blocks: "user_id",
  preferences: "user_id",
  messages: "message_id",
};

/** What a channel has besides messages. */
export type EntryKind = "members" | "managers" | "bans";

/** What a user sets for itself. */
export type OwnKind = "blocks" | "preferences";

/** Whether the service lists a kind newest first. Participants and managers are listed by the time of joining. */
export const isNewestFirst = (kind: Kind): boolean => kind !== "members" && kind !== "managers";

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
