import type { Preferences, PreferencesChange, UserChannel } from "@madang/client";

/** The preferences of a channel after a change. Default values are absent; undefined if all are. */
export function withChange(
  preferences: Preferences | undefined,
  change: PreferencesChange,
): Preferences | undefined {
  const before = preferences ?? {};
  const { notify = before.notify ?? "all", quiet_until: quietUntil = before.quiet_until ?? null } = change;
  // The latest one of these ends the others.
  const isChosen = (name: "hidden" | "archived" | "pinned", was: boolean) =>
    change[name] ?? (was && !change.hidden && !change.archived && !change.pinned);
  return orAbsent({
    ...(notify !== "all" && { notify }),
    ...(quietUntil !== null && { quiet_until: quietUntil }),
    ...(isChosen("hidden", before.hidden === true) && { hidden: true }),
    ...(isChosen("archived", before.archived === true) && { archived: true }),
    ...(isChosen("pinned", before.pinned_at !== undefined) && { pinned_at: before.pinned_at ?? Date.now() }),
  });
}

/** The line with these preferences. */
export function withPreferences<Line extends UserChannel>(
  { preferences: _, ...line }: Line,
  preferences: Preferences | undefined,
): Omit<Line, "preferences"> & Pick<UserChannel, "preferences"> {
  const shown = preferences && orAbsent(preferences);
  return shown === undefined ? line : { ...line, preferences: shown };
}

const orAbsent = (preferences: Preferences) =>
  Object.keys(preferences).length > 0 ? preferences : undefined;

/** Whether the unread messages of a channel are left out of the total. After `quiet_until`, the channel is read again. */
export const isQuiet = ({ preferences: { notify, quiet_until, archived, hidden } = {} }: UserChannel) =>
  notify === "none" || quiet_until !== undefined || archived === true || hidden === true;

export const isPinned = ({ preferences }: UserChannel) => preferences?.pinned_at !== undefined;

/** Which channels an inbox has: `all` and `unread` without those that are archived or hidden. */
export type InboxFilter = "all" | "unread" | "archived" | "hidden";

/** Whether a channel is in the list of a filter. */
export function isListed(line: UserChannel, filter: InboxFilter): boolean {
  const { archived = false, hidden = false } = line.preferences ?? {};
  if (filter === "archived") return archived;
  if (filter === "hidden") return hidden;
  return !archived && !hidden && (filter === "all" || line.unread_count > 0);
}
