import type { UrlOf } from "../../chat/attachments";
import type { Db } from "../../db/db";
import type { Cursors } from "../../paging/cursor";
import type { ActingUser } from "../../security/acting-user";
import type { UserChannels } from "./as-user/user-channels";
import { Batch, type Entry, type Selection } from "./batch";
import { type EventQuery, type EventRow, readEvents } from "./store";

/** Which events a client gets: those that it asks for, of those that its user sees. */
export interface EventFilters extends Selection {
  readonly acting?: ActingUser | undefined;
}

/** Reads events that match the filters. `channels` are those of the user as whom the client acts. */
export async function readBatch(
  db: Db,
  cursors: Cursors,
  urlOf: UrlOf,
  query: Pick<EventQuery, "after" | "count" | "maxBytes">,
  { types, channelId, acting }: EventFilters,
  channels: UserChannels | undefined,
): Promise<Batch> {
  if (acting === undefined || channels === undefined)
    return Batch.of(cursors, await readEvents(db, { ...query, types, channelId }), urlOf);
  const { userPk, publicMeta } = acting;
  const channelPks = channels.list();
  const asked = new Set(channelPks);
  const found = await readEvents(db, { ...query, user: { userPk, channelPks } });
  const { entries, end } = Batch.of(cursors, found, urlOf);
  const seen: Entry[] = [];
  for (const entry of entries) {
    const { row } = entry;
    channels.noteBeginning(row);
    // Before the event can end its role again. The live feed of the process may have noted the beginning already.
    const isNewChannel = !asked.has(row.channelPk) && channels.has(row.channelPk);
    if (channels.sees(row)) seen.push(entry.forUsers(publicMeta));
    channels.noteEnd(row);
    // The later events of this channel are not among those that were found: the next read begins there.
    if (isNewChannel)
      return new Batch(cursors, seen, positionOf(row)).select(beginning, { types, channelId });
  }
  return new Batch(cursors, seen, end).select(beginning, { types, channelId });
}

const beginning = { position: 0, nonce: 0 };
const positionOf = ({ position, nonce }: EventRow) => ({ position, nonce });
