import type { Row } from "../tables/column";
import { asRows } from "../tables/tables";

/** A list of the SDK. */
export interface Pages {
  pages(): AsyncIterable<{ readonly items: readonly object[]; readonly nextCursor?: string }>;
}

/** The rows of a list, page by page. */
export async function* pagesOf(list: Pages): AsyncGenerator<readonly Row[]> {
  for await (const { items } of list.pages()) yield asRows(items);
}
