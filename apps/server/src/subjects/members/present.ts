import type { EntryRow } from "../channels/list-entries";
import { presentUser } from "../users/present";

/** A user as the wire has it, and when it joined. */
export function presentEntry(entry: EntryRow) {
  return { ...presentUser(entry), joined_at: entry.joinedAt };
}
