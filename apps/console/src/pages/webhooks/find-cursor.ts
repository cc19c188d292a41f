import { chat } from "../../api/chat";

const pageSize = 500;

/**
 * The cursor after which an event comes, for an attempt of an earlier version, which names only the id of its event: the feed is read
 * from its oldest event on. Absent when the event is not stored any more.
 */
export async function findCursorBefore(eventId: string, signal: AbortSignal): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const { events, next } = await chat.events.list({ ...from, pageSize }, { signal });
    const index = events.findIndex(({ event_id }) => event_id === eventId);
    if (index === 0) return after;
    if (index > 0) return (await chat.events.list({ ...from, pageSize: index }, { signal })).next;
    if (events.length === 0) return undefined;
    after = next;
  }
}
