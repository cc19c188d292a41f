import type { EntryRow } from "../channels/list-entries";
import { presentUser } from "../users/present";

/** Converts a participant or manager to the wire format. */
export function presentEntry(entry: EntryRow) {
  return { ...presentUser(entry), joined_at: entry.joinedAt };
}
