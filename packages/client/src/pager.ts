import { forEachAtOnce } from "./concurrency";
import { PaginationError } from "./errors";
import { requireNumber } from "./numbers";
import type { ListOptions, Page } from "./page";
import type { Stream } from "./platform";
import { createStream } from "./stream";
import { type PageSource, walkPages } from "./walk";

/** How `forEach` goes over the items. */
export interface ForEachOptions<PageOf> {
  /** How many items are in work at once. Default 1. */
  concurrency?: number | undefined;
  /** Called when every item of a page is done: the place to save `page.nextCursor`. */
  onPage?: ((page: PageOf) => unknown) | undefined;
}

/**
 * A list that is fetched as it is consumed: `for await` gives the items over all pages, `pages()` the pages, `await` the
 * first page. Nothing is sent before, and each consumption begins anew.
 */
export class Pager<Item, PageOf extends Page<Item> = Page<Item>>
  implements AsyncIterable<Item>, PromiseLike<PageOf>
{
  readonly #source: PageSource<Item>;
  readonly #options: ListOptions;

  /** @internal The methods of the client make lists. */
  constructor(source: PageSource<Item>, options: ListOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** The items, over all pages. Leaving the loop ends what was fetched ahead. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * The pages, one by one. A failure carries `resumeCursor`: the page that is still to come.
   *
   * @example for await (const page of chat.users.list().pages()) await save(page.items, page.nextCursor);
   */
  pages(): AsyncGenerator<PageOf, void, undefined> {
    return walkPages(this.#source, this.#options);
  }

  /**
   * All items in one array. Throws a `PaginationError` when there are more than `max`: nothing is cut in silence.
   *
   * @example const kims = await chat.users.list({ name: "Kim" }).toArray({ max: 5_000 });
   */
  async toArray({ max }: { max?: number | undefined } = {}): Promise<Item[]> {
    const { operation } = this.#source;
    requireNumber("max", max, 0, operation);
    const all: Item[] = [];
    for await (const { items } of this.pages()) {
      for (const item of items) all.push(item);
      if (max !== undefined && all.length > max)
        throw new PaginationError("pagination", `${operation} has more than ${max} items.`, { operation });
    }
    return all;
  }

  /**
   * Calls a function for each item, `concurrency` at once, and page by page: `onPage` follows the last item of each.
   * The first failure ends the walk once what is in work has settled, and is thrown.
   *
   * @example await chat.exports.messages("room_1").forEach(index, { concurrency: 8, onPage: (page) => save(page.nextCursor) });
   */
  async forEach(call: (item: Item) => unknown, options: ForEachOptions<PageOf> = {}): Promise<void> {
    const { concurrency = 1, onPage } = options;
    requireNumber("concurrency", concurrency, 1, this.#source.operation);
    for await (const page of this.pages()) {
      await forEachAtOnce(page.items, concurrency, call);
      await onPage?.(page);
    }
  }

  /**
   * The items as a web stream, which asks for the next page when its reader has come to the end of one.
   *
   * @example await chat.exports.messages("room_1").toReadableStream().pipeTo(archive);
   */
  toReadableStream(): Stream {
    const controller = new AbortController();
    const items = async function* (pages: AsyncIterable<PageOf>) {
      for await (const page of pages) yield* page.items;
    };
    const pages = walkPages<Item, PageOf>(this.#source, this.#options, controller);
    return createStream(items(pages), () => controller.abort());
  }

  /**
   * The items as lines of JSON in UTF-8: a web stream of bytes, a page a chunk, for a file or the body of a response.
   *
   * @example return new Response(chat.exports.messages("room_1").toNdjson());
   */
  toNdjson(): Stream {
    const controller = new AbortController();
    const encoder = new TextEncoder();
    const chunks = async function* (pages: AsyncIterable<PageOf>) {
      for await (const { items } of pages)
        if (items.length) yield encoder.encode(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
    };
    const pages = walkPages<Item, PageOf>(this.#source, this.#options, controller);
    return createStream(chunks(pages), () => controller.abort());
  }

  /** The first page, by one request. */
  // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page.
  then<Value = PageOf, Reason = never>(
    onPage?: ((page: PageOf) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Reason | PromiseLike<Reason>) | null,
  ): Promise<Value | Reason> {
    return this.#fetchFirst().then(onPage, onError);
  }

  async #fetchFirst(): Promise<PageOf> {
    const pages = walkPages(this.#source, { ...this.#options, prefetch: 0 });
    const { value } = await pages.next();
    await pages.return();
    // A walk gives at least one page or throws.
    return value as PageOf;
  }
}
