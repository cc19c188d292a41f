import { isChatError, PaginationError } from "./errors";
import { requireNumber } from "./numbers";
import type { ListOptions, Page } from "./page";
import type { Signal } from "./platform";
import type { RouteName } from "./routes";

/** What one request of a list gives. */
export interface Fetched<Item> {
  readonly items: Item[];
  readonly next: string | undefined;
  /** What the pages of this list carry beside what every page does. */
  readonly extra?: object;
}

export interface PageSource<Item> {
  readonly operation: RouteName;
  readonly signal: Signal | undefined;
  fetch(cursor: string | undefined, signal: Signal): Promise<Fetched<Item>>;
}

// Far more in a row than a list that moves on has, and few enough to end soon.
const maxEmptyPages = 50;
// Enough to see any circle that a server runs in, in a walk of any length.
const maxKnownCursors = 10_000;

/** Fetches page after page, up to `prefetch` of them ahead of the consumer. The controller ends what is under way. */
export async function* walkPages<Item, PageOf extends Page<Item>>(
  source: PageSource<Item>,
  { cursor, prefetch = 0, maxItems = Number.POSITIVE_INFINITY }: ListOptions,
  controller = new AbortController(),
): AsyncGenerator<PageOf, void, undefined> {
  const { operation, signal } = source;
  requireNumber("prefetch", prefetch, 0, operation);
  if (maxItems !== Number.POSITIVE_INFINITY) requireNumber("maxItems", maxItems, 1, operation);
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);

  const known = new Set<string>();
  let emptyPages = 0;
  let received = 0;

  const fetchPage = async (from: string | undefined): Promise<Fetched<Item>> => {
    try {
      if (from !== undefined) rememberCursor(from);
      const fetched = await source.fetch(from, controller.signal);
      received += fetched.items.length;
      emptyPages = fetched.items.length ? 0 : emptyPages + 1;
      if (emptyPages > maxEmptyPages) throw stuck(`the server answered ${emptyPages} empty pages in a row`);
      return fetched;
    } catch (error) {
      if (isChatError(error) && from !== undefined) Object.assign(error, { resumeCursor: from });
      throw error;
    }
  };
  const rememberCursor = (cursor: string) => {
    if (known.has(cursor)) throw stuck("the server repeats a cursor");
    known.add(cursor);
    for (const oldest of known) {
      if (known.size <= maxKnownCursors) break;
      known.delete(oldest);
    }
  };
  const stuck = (what: string) =>
    new PaginationError("pagination", `${operation} cannot go on: ${what}.`, { operation });
  const follow = (page: Fetched<Item> | undefined) =>
    page?.next === undefined || received >= maxItems ? undefined : fetchPage(page.next);

  const ahead: Promise<Fetched<Item> | undefined>[] = [fetchPage(cursor)];
  try {
    for (let index = 0, itemsSoFar = 0; ; index++) {
      for (let last = ahead.at(-1); last && ahead.length <= prefetch; last = ahead.at(-1)) {
        // A failure waits here until the consumer comes to it, or for ever if it never does.
        last.catch(() => {});
        ahead.push(last.then(follow));
      }
      ahead.at(-1)?.catch(() => {});
      const fetched = await ahead.shift();
      if (!fetched) return;
      const left = maxItems - itemsSoFar;
      const items = fetched.items.length > left ? fetched.items.slice(0, left) : fetched.items;
      itemsSoFar += items.length;
      const nextCursor = items.length < fetched.items.length ? undefined : fetched.next;
      const page = {
        ...fetched.extra,
        items,
        index,
        itemsSoFar,
        ...(nextCursor !== undefined && { nextCursor }),
      };
      if (ahead.length > 0) await letRequestOut();
      // The source knows what its pages carry in `extra`; the compiler cannot follow it through the walk.
      yield page as unknown as PageOf;
      if (ahead.length === 0) ahead.push(Promise.resolve(follow(fetched)));
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    // What was fetched ahead is not wanted any more. The error that an abort makes costs more than asking first.
    if (ahead.length > 0) controller.abort();
  }
}

/**
 * Lets the request that was just begun go out. Without it a consumer that computes would hold up the very page that is
 * to be fetched meanwhile. Node uses a connection again only a turn after its last answer; hence two of them. Where there
 * is no `setImmediate`, a timer does.
 */
async function letRequestOut(): Promise<void> {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  if (typeof setImmediate !== "function") await new Promise((resolve) => setTimeout(resolve, 0));
  else await turn().then(turn);
}
