/** The position of a row in a list ordered by creation: time, then primary key. It is unique. */
export interface Position {
  readonly createdAt: number;
  readonly pk: number;
}

/** The position after the newest row, where the first page of a list starts. */
export const newest: Position = { createdAt: Number.MAX_SAFE_INTEGER, pk: 0 };

/** The position before the oldest row. */
export const oldest: Position = { createdAt: 0, pk: 0 };
