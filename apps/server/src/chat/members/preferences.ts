import { databaseNow } from "../../db/db";
import type { Row } from "../../db/row";

/** What a participant wants of a channel, for a row of `members`. */
export interface PreferencesRow extends Row<"Member", "notify" | "quietUntil" | "isArchived" | "pinnedAt"> {
  readonly isHidden: boolean;
}

/** Whether no message came since the user hid the channel, in SQL, for a row of `members`. A deleted message did not come. */
export const isHidden = (member: string): string => `(${member}.hidden_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM messages later WHERE later.channel_pk = ${member}.channel_pk
        AND (later.created_at, later.pk) > (${member}.hidden_at, ${member}.hidden_pk) OFFSET 0))`;

const isSilenced = (member: string): string =>
  `(${member}.quiet_until IS NOT NULL AND ${member}.quiet_until > ${databaseNow})`;

/** Whether nothing of the channel is pushed or counted among what is not quiet, in SQL, for a row of `members`. */
export const isQuiet = (member: string): string =>
  `(${member}.notify IS NOT DISTINCT FROM 'none' OR ${isSilenced(member)} OR ${member}.is_archived OR ${isHidden(member)})`;

/** The columns of a row of `members`. A time of silence that has passed is not shown. */
export const preferencesOf = (member: string): string =>
  `${member}.notify, CASE WHEN ${isSilenced(member)} THEN ${member}.quiet_until END AS "quietUntil",
        ${member}.is_archived AS "isArchived", ${isHidden(member)} AS "isHidden", ${member}.pinned_at AS "pinnedAt"`;

/** Without what is the default. */
export function presentPreferences({ notify, quietUntil, isArchived, isHidden, pinnedAt }: PreferencesRow) {
  return {
    // A check constraint of the table allows nothing else.
    ...(notify !== null && { notify: notify as "mentions" | "none" }),
    ...(quietUntil !== null && { quiet_until: quietUntil }),
    ...(isHidden && { hidden: true as const }),
    ...(isArchived && { archived: true as const }),
    ...(pinnedAt !== null && { pinned_at: pinnedAt }),
  };
}

/** The same as a field of what shows them. Absent when everything is the default. */
export function presentPreferencesField(row: PreferencesRow) {
  const preferences = presentPreferences(row);
  return Object.keys(preferences).length > 0 ? { preferences } : {};
}
