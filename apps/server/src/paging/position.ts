/** The position of a row in a list ordered by creation: time, then primary key. It is unique. */
export interface Position {
  readonly createdAt: number;
  readonly pk: number;
}

/** The position before every row, where the first page starts. */
export const newest: Position = { createdAt: Number.MAX_SAFE_INTEGER, pk: 0 };

/** Before every row, in the order of creation. */
export const oldest: Position = { createdAt: 0, pk: 0 };
