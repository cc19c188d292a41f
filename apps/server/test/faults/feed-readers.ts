import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import pg from "pg";
import { call } from "../support/call";
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
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; pk: number }>(
    "SELECT 'evt_' || created_at || '_' || pk AS id, pk::int FROM events ORDER BY pk",
  );
  const unannounced = await client.query(`SELECT FROM messages m WHERE (
    SELECT count(*) FROM events WHERE type = 'message.created' AND channel_pk = m.channel_pk AND message_pk = m.pk) <> 1`);
  await client.end();
  const keys = new Map(rows.map(({ id, pk }) => [id, pk]));
  const check = { ...flawless, unannounced: unannounced.rows.length };
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
