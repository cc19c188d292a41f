import { PaginationError } from "../errors/errors";
import { routes } from "../generated/routes";
import type { Route } from "../route";
import type { ListName } from "./page";

// More in a row than any working list has, and few enough to end soon.
const maxEmptyPages = 50;
// Enough to detect a loop of cursors in a list of any length.
const maxKnownCursors = 10_000;

/** Detects lists that would never end. */
export class PaginationGuard {
  readonly #operation: ListName;
  readonly #known = new Set<string>();
  #emptyPages = 0;

  constructor(operation: ListName) {
    this.#operation = operation;
  }

  /** Throws when this list has used the cursor before. */
  useCursor(cursor: string): void {
    if (this.#known.has(cursor)) throw this.#error("the server repeats a cursor");
    this.#known.add(cursor);
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size > maxKnownCursors) this.#known.delete(oldest);
  }

  /** Throws after too many empty pages in a row. The lists with `hasEmptyPages` may have any number of them. */
  countItems(items: number): void {
    const { hasEmptyPages }: Route = routes[this.#operation];
    if (hasEmptyPages) return;
    this.#emptyPages = items > 0 ? 0 : this.#emptyPages + 1;
    if (this.#emptyPages > maxEmptyPages)
      throw this.#error(`the server sent ${this.#emptyPages} empty pages in a row`);
  }

  #error(what: string): PaginationError {
    return new PaginationError("pagination", `${this.#operation} cannot continue: ${what}.`, {
      operation: this.#operation,
    });
  }
}
