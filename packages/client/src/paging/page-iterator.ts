import { isChatError } from "../errors/chat-error";
import { requireNumber } from "../limits";
import type { Signal } from "../platform";
import { linkSignal } from "../platform";
import type { ListName, ListOptions, Page } from "./page";
import { PaginationGuard } from "./pagination-guard";

/** The result of one request of a list. */
export interface PageData<Item> {
  readonly items: Item[];
  /** The cursor of the next page. Some servers send an empty one on the last page. */
  readonly next?: string | undefined;
  /** Fields that the pages of this list have besides those of every page, for the items that are returned. */
  readonly extra?: (items: readonly Item[]) => object;
}

export interface PageSource<Item> {
  readonly operation: ListName;
  readonly signal: Signal | undefined;
  fetch(cursor: string | undefined, signal: Signal): Promise<PageData<Item>>;
}

/** Fetches page after page. With `prefetch`, the next one while the consumer works. The controller aborts the request. */
export async function* iteratePages<Item, PageOf extends Page<Item>>(
  source: PageSource<Item>,
  { cursor, prefetch = 0, maxItems = Number.POSITIVE_INFINITY }: ListOptions,
  controller = new AbortController(),
): AsyncGenerator<PageOf, void, undefined> {
  const { operation, signal } = source;
  requireNumber("prefetch", prefetch, [0, 1], operation);
  if (maxItems !== Number.POSITIVE_INFINITY) requireNumber("maxItems", maxItems, [1], operation);
  const unlink = linkSignal(signal, controller);
  const guard = new PaginationGuard(operation);

  const fetchPage = async (from: string | undefined): Promise<PageData<Item>> => {
    try {
      if (from !== undefined) guard.useCursor(from);
      const page = await source.fetch(from, controller.signal);
      guard.countItems(page.items.length);
      return page;
    } catch (error) {
      if (isChatError(error) && from !== undefined) Object.assign(error, { resumeCursor: from });
      throw error;
    }
  };

  let ahead: Promise<PageData<Item>> | undefined;
  try {
    let fetched = await fetchPage(cursor);
    for (let index = 0, itemsSoFar = 0; ; index++) {
      const items = fetched.items.slice(0, maxItems - itemsSoFar);
      itemsSoFar += items.length;
      // The cursor of a page that `maxItems` cuts would skip the items that were not taken.
      const nextCursor = items.length === fetched.items.length ? fetched.next : undefined;
      const page = {
        ...fetched.extra?.(items),
        items,
        index,
        itemsSoFar,
        ...(nextCursor && { nextCursor }),
      };
      const hasNext = nextCursor && itemsSoFar < maxItems;
      if (hasNext && prefetch > 0) {
        ahead = fetchPage(nextCursor);
        // A failure waits here until the consumer reaches it.
        ahead.catch(() => {});
        await letRequestOut();
      }
      // The source knows which fields its pages have in `extra`; the compiler cannot follow them through the iteration.
      yield page as unknown as PageOf;
      if (!hasNext) return;
      fetched = await (ahead ?? fetchPage(nextCursor));
      ahead = undefined;
    }
  } finally {
    unlink();
    // The page fetched ahead is no longer needed. Creating the error of an abort costs more than this condition.
    if (ahead) controller.abort();
  }
}

/**
 * Lets the request that was just begun be sent. Otherwise a consumer that computes would delay the page that is to be
 * fetched meanwhile. Node reuses a connection only a turn after its last response; hence two turns. Where there is no
 * `setImmediate`, a timer does.
 */
async function letRequestOut(): Promise<void> {
  const { setImmediate: runNextTurn = setTimeout } = globalThis;
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => void runNextTurn(resolve));
}
