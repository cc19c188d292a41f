import { PaginationError } from "../errors/errors";
import { requireNumber } from "../limits";
import type { Stream } from "../platform";
import { forEachConcurrently } from "./concurrency";
import type { ListOptions, Page } from "./page";
import { iteratePages, type PageSource } from "./page-iterator";
import { createStream } from "./stream";

/** Options of `forEach`. */
export interface ForEachOptions<PageOf> {
  /** How many items are processed at the same time: at least 1, default 1. */
  concurrency?: number | undefined;
  /** Called after the last item of a page: save `page.nextCursor` here. */
  onPage?: ((page: PageOf) => unknown) | undefined;
}

/**
 * A list that is fetched while it is consumed: `for await` returns the items of all pages, `pages()` the pages, `firstPage()`
 * one page. Nothing is sent before that, and each use starts from the beginning.
 */
export class Pager<Item, PageOf extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #source: PageSource<Item>;
  readonly #options: ListOptions;

  /** @internal The methods of the client create lists. */
  constructor(source: PageSource<Item>, options: ListOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The items of all pages. Leaving the loop aborts what is being fetched ahead. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return flatten(this.pages());
  }

  /**
   * The pages, one by one. An error carries `resumeCursor`, the cursor of the page that failed.
   *
   * @example for await (const page of chat.users.list().pages()) console.log(page.items.length, page.nextCursor);
   */
  pages(): AsyncGenerator<PageOf, void, undefined> {
    return iteratePages(this.#source, this.#options);
  }

  /**
   * All items in one array. Throws a `PaginationError` when there are more than `max`; it never truncates silently.
   *
   * @param options `max`: how many items the array may have, at least 0. Default: no limit.
   * @example const kims = await chat.users.list({ name: "Kim" }).toArray({ max: 5_000 });
   */
  async toArray(options: { max?: number | undefined } = {}): Promise<Item[]> {
    const { max } = options;
    const { operation } = this.#source;
    requireNumber("max", max, [0], operation);
    const all: Item[] = [];
    for await (const { items } of this.pages()) {
      for (const item of items) all.push(item);
      if (max !== undefined && all.length > max)
        throw new PaginationError("pagination", `${operation} has more than ${max} items.`, { operation });
    }
    return all;
  }

  /**
   * Calls a function for each item, `concurrency` at a time, page by page; `onPage` follows the last item of each page.
   * After the first error no further call begins; the error is thrown when the running calls have ended.
   *
   * @param call Called with each item. It may return a promise.
   * @param options How many calls run at the same time, and what follows each page.
   * @example await chat.exports.messages("room_1").forEach((message) => console.log(message), { concurrency: 8 });
   */
  async forEach(call: (item: Item) => unknown, options: ForEachOptions<PageOf> = {}): Promise<void> {
    const { concurrency = 1, onPage } = options;
    requireNumber("concurrency", concurrency, [1], this.#source.operation);
    for await (const page of this.pages()) {
      await forEachConcurrently(page.items, concurrency, call);
      await onPage?.(page);
    }
  }

  /**
   * The items as a web stream, which fetches the next page when its reader has reached the end of the last one.
   *
   * @example for await (const message of chat.exports.messages("room_1").toReadableStream()) console.log(message);
   */
  toReadableStream(): Stream {
    return this.#stream(flatten);
  }

  /**
   * The items as lines of JSON in UTF-8: a web stream of bytes, one chunk per page, for a file or the body of a response.
   *
   * @example return new Response(chat.exports.messages("room_1").toNdjson());
   */
  toNdjson(): Stream {
    return this.#stream(formatLines);
  }

  /**
   * The first page, with one request.
   *
   * @example const first = await chat.users.list().firstPage();
   */
  async firstPage(): Promise<PageOf> {
    const pages = iteratePages<Item, PageOf>(this.#source, { ...this.#options, prefetch: 0 });
    const { value } = await pages.next();
    await pages.return();
    // An iteration returns at least one page or throws.
    return value as PageOf;
  }

  #stream<Chunk>(read: (pages: AsyncIterable<PageOf>) => AsyncGenerator<Chunk, void, undefined>): Stream {
    const controller = new AbortController();
    const pages = iteratePages<Item, PageOf>(this.#source, this.#options, controller);
    return createStream(read(pages), () => controller.abort());
  }
}

async function* flatten<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item, void, undefined> {
  for await (const { items } of pages) yield* items;
}

async function* formatLines<Item>(
  pages: AsyncIterable<Page<Item>>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const { items } of pages)
    if (items.length) yield encoder.encode(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
}
