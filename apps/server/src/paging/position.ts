/** Where a row stands in a list that is ordered by creation: time, then key. No two rows share one. */
export interface Position {
  readonly createdAt: number;
  readonly pk: number;
}

/** Before every row there is, so that a first page is a page like any other. */
export const newest: Position = { createdAt: Number.MAX_SAFE_INTEGER, pk: 0 };
