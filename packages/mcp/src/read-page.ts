import { createHash } from "node:crypto";
import { operations } from "./generated/operations";
import { countFitting } from "./result";
import type { Context } from "./tool";

type OperationId = Parameters<Context["chat"]["request"]>[0];
type Parts = NonNullable<Parameters<Context["chat"]["request"]>[1]>;
type Query = Readonly<Record<string, unknown>>;

/**
 * The response of a list; an array is its `entries`. Of a page that is too large for a result, what fits: with a smaller limit where that is possible, else
 * the first entries, and a cursor that continues within the page. The entries of several lists count as those of one.
 */
export async function readPage(context: Context, id: OperationId, parts: Parts): Promise<unknown> {
  const { chat, options, format } = context;
  const { query: asked, shown } = openCursor(Object(parts.query));
  const query = await fixLatest(context, id, asked);
  const received = await chat.request(id, { ...parts, query }, options);
  const response = Array.isArray(received) ? { entries: received } : received;
  const lists = Object.entries(Object(response)).filter((field): field is [string, unknown[]] =>
    Array.isArray(field[1]),
  );
  if (lists.length === 0) return response;
  const named = lists.flatMap(([name, entries]) => entries.map((entry) => ({ name, entry })));
  const entries = named.map(({ entry }) => entry);
  // If what was shown is not the beginning of the page any more, it may be shown again, so that nothing is lost.
  const start =
    shown !== undefined && digestOf(entries.slice(0, shown.count)) === shown.digest ? shown.count : 0;
  const partTo = (end: number) => {
    const part = named.slice(start, end);
    const shownLists = lists.map(([name]) => [
      name,
      part.filter((one) => one.name === name).map(({ entry }) => entry),
    ]);
    return { ...Object(response), ...Object.fromEntries(shownLists) };
  };
  const count = countFitting(entries.length - start, (count) => partTo(start + count), format);
  // An entry that is too large by itself is left out, and the result says so.
  const end = start + Math.max(1, count);
  if (end >= entries.length) return partTo(entries.length);

  const minLimit = minLimitOf(id);
  if (lists.length === 1 && canShrink(id, query) && minLimit !== undefined && minLimit < entries.length)
    return readPage(context, id, { ...parts, query: { ...query, limit: Math.max(count, minLimit) } });
  return { ...partTo(end), next: makeCursor(query, entries.slice(0, end)) };
}

/** Whether a smaller limit only ends the page earlier. Behind `after`, the cursor of a list of messages continues before the page. */
const canShrink = (id: string, query: Query) =>
  !Object.keys(query).some(
    (name) => name === "next" || name.endsWith("_ids") || (name === "after" && id !== eventList),
  );

const eventList = "events.list";

/** "latest" would be later when the page is read again. */
async function fixLatest({ chat, options }: Context, id: OperationId, query: Query): Promise<Query> {
  if (id !== eventList || query.after !== "latest") return query;
  const { next } = Object(await chat.request(eventList, { query: { after: "latest" } }, options));
  return { ...query, after: next };
}

/** The least `limit` that an operation accepts. */
function minLimitOf(id: string): number | undefined {
  const minimum = operations.find((each) => each.id === id)?.query.properties.limit?.minimum;
  return typeof minimum === "number" ? minimum : undefined;
}

interface Shown {
  readonly count: number;
  readonly digest: string;
}

/** Such a cursor has the query of the page, and what of it was shown. Those of the service have no tilde. */
const cursorPattern = /^(\d+)~([\w-]+)~([\w-]+)$/;

function makeCursor(query: Query, shown: readonly unknown[]): string {
  const sent = Buffer.from(JSON.stringify(query)).toString("base64url");
  return `${shown.length}~${digestOf(shown)}~${sent}`;
}

function openCursor(query: Query): { readonly query: Query; readonly shown?: Shown } {
  const [, count, digest, sent] = cursorPattern.exec(String(query.next)) ?? [];
  if (count === undefined || digest === undefined || sent === undefined) return { query };
  try {
    const original: Query = JSON.parse(Buffer.from(sent, "base64url").toString());
    return { query: original, shown: { count: Number(count), digest } };
  } catch {
    // The service says that it is no cursor.
    return { query };
  }
}

/** Of what names entries. Their other fields may change, such as reactions and the addresses of files. */
const digestOf = (entries: readonly unknown[]) =>
  createHash("sha256")
    .update(JSON.stringify(entries, ["user_id", "channel_id", "message_id", "report_id", "created_at"]))
    .digest("base64url")
    .slice(0, 16);
