import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import type { Statement } from "../../src/db/db";
import { call } from "../support/call";
import { openDatabase } from "../support/database";
import { masterKey } from "../support/server";

/** An event, as a reader got it. */
export interface Seen {
  readonly id: string;
  readonly channel: string;
}

type Reader = Promise<readonly Seen[]>;

/** The event of this user is the last one: readers stop there. */
const lastUser = "feed_end";

/** Writes the event at which readers stop. All other events must have been written before. */
export async function endFeed(url: string): Promise<void> {
  const sent = { body: { user_id: lastUser, name: "Last" }, idempotencyKey: lastUser };
  while ((await call(url, "POST", "/v1/users", sent)).status !== 201) await sleep(20);
}

const anySize = () => 1 + Math.floor(Math.random() * 40);

/** Follows the feed by requests, each to the URL of the moment. */
export async function followFeed(url: () => string, pageSize: () => number = anySize): Reader {
  const seen: Seen[] = [];
  for (let after = ""; ; ) {
    const path = `/v1/events?limit=${pageSize()}&wait=1${after && `&after=${after}`}`;
    const reply = await call(url(), "GET", path).catch(() => undefined);
    if (reply === undefined || reply.status === 503) {
      await sleep(20);
      continue;
    }
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body));
    after = reply.body.next;
    for (const { event_id, channel_id = "", user_id } of reply.body.events) {
      seen.push({ id: event_id, channel: channel_id });
      if (user_id === lastUser) return seen;
    }
  }
}

/** Follows the feed by the stream of one server, through the SDK, which reconnects. */
export async function listenToFeed(baseUrl: string): Reader {
  const seen: Seen[] = [];
  for await (const event of new ChatClient({ baseUrl, apiKey: masterKey }).events.listen()) {
    seen.push({ id: event.event_id, channel: "channel_id" in event ? event.channel_id : "" });
    if ("user_id" in event && event.user_id === lastUser) break;
  }
  return seen;
}

/** What all readers together missed, got twice, or got out of order; `invented` is what was never stored. */
export interface FeedCheck {
  readonly missed: number;
  readonly repeated: number;
  readonly reordered: number;
  readonly invented: number;
  /** Messages that do not have exactly one event. */
  readonly unannounced: number;
}

export const flawless: FeedCheck = { missed: 0, repeated: 0, reordered: 0, invented: 0, unannounced: 0 };

/** The columns of the table that count events instead of writes. */
export const rowOfFeed = ({ missed, repeated, reordered, invented, unannounced }: FeedCheck) => ({
  lost: missed + unannounced,
  duplicated: repeated,
  wrong: reordered + invented,
});

/** Compares what readers got with what is stored. Nothing may be written or swept meanwhile. */
export async function checkFeed(
  databaseUrl: string,
  readers: readonly (readonly Seen[])[],
): Promise<FeedCheck> {
  const db = await openDatabase(databaseUrl);
  const rows = await db.query(listEvents);
  const messages = (await Promise.all(db.schemas().map((schema) => schema.query(listMessages)))).flat();
  await db.close();
  const announced = Map.groupBy(rows, ({ message }) => message);
  const unannounced = messages.filter(({ message }) => announced.get(message)?.length !== 1);
  const keys = new Map(rows.map(({ id, pk }) => [id, pk]));
  const check = { ...flawless, unannounced: unannounced.length };
  for (const seen of readers) {
    const ids = new Set(seen.map(({ id }) => id));
    check.missed += rows.filter(({ id }) => !ids.has(id)).length;
    check.repeated += seen.length - ids.size;
    const last = new Map<string, number>();
    for (const { id, channel } of seen) {
      const key = keys.get(id);
      if (key === undefined) {
        check.invented++;
        continue;
      }
      if (channel !== "" && key <= (last.get(channel) ?? -1)) check.reordered++;
      last.set(channel, key);
    }
  }
  return check;
}

const listEvents: Statement<{ id: string; pk: number; message: string | null }> = {
  name: "test.list-events",
  text: `SELECT 'evt_' || created_at || '_' || pk AS id, pk,
      CASE WHEN type = 'message.created' THEN channel_pk || ' ' || message_pk END AS message
    FROM events ORDER BY pk`,
};

const listMessages: Statement<{ message: string }> = {
  name: "test.list-messages",
  text: "SELECT channel_pk || ' ' || pk AS message FROM messages",
};
