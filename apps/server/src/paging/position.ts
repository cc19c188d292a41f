import { limits } from "@madang/contract";
import * as z from "zod";
import { invalidCursor } from "./cursor";

/** The position of a row in a list ordered by creation: time, then primary key. It is unique. */
export interface Position {
  readonly createdAt: number;
  readonly pk: number;
}

/** In a cursor. */
export const position = z.object({ createdAt: z.int(), pk: z.int() });

/** The position after the newest row, where the first page of a list starts. */
export const newest: Position = { createdAt: Number.MAX_SAFE_INTEGER, pk: 0 };

/** For Prisma: the rows before a position, whose first condition is a range of an index. */
export const olderThan = ({ createdAt, pk }: Position) => ({
  createdAt: { lte: createdAt },
  NOT: { createdAt, pk: { gte: pk } },
});

export const positionsDescending = (a: Position, b: Position) => b.createdAt - a.createdAt || b.pk - a.pk;

export const isNewer = (one: Position, other: Position): boolean => positionsDescending(one, other) < 0;

/** The position before the oldest row. */
export const oldest: Position = { createdAt: 0, pk: 0 };

/** The position of a row in a list ordered by name, then by creation. */
export interface NamedPosition extends Position {
  readonly name: string;
}

/** For sorting by name, then oldest first. Names in the order of code points, as in PostgreSQL. */
export const namesAscending = (a: NamedPosition, b: NamedPosition) =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || positionsDescending(b, a);

/** The position of a cursor of a list that is ordered by name. Undefined for the first page. */
export function requireNamed(
  after: (Position & Partial<NamedPosition>) | undefined,
): NamedPosition | undefined {
  if (after === undefined) return undefined;
  const { name } = after;
  if (name === undefined) throw invalidCursor();
  return { ...after, name };
}

/**
 * A text after all names that begin with the prefix, and before all other later names, in the order of code points. Never absent: a
 * statement with an optional end would read every later name.
 */
export function endOfPrefix(prefix: string): string {
  const points = [...prefix].map((character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  // Longer than any name.
  if (last === undefined) return String.fromCodePoint(lastCodePoint).repeat(limits.channelName.maxLength + 1);
  // Surrogates are no characters.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}

const lastCodePoint = 0x10ffff;
