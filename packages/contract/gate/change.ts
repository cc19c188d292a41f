/** One difference between two contracts, and what it means for a program written against the first. */
export interface Change {
  readonly isBreaking: boolean;
  /** Where, from the operation inwards: `POST /v1/users, body, name`. */
  readonly place: string;
  /** What changed, as a sentence: `The longest length falls from 80 to 40.` */
  readonly what: string;
}

/** Which way a value travels. A caller breaks when it may send less, or when it may get more, than before. */
export type Direction = "sent" | "answered";

export function narrowed(direction: Direction, place: string, what: string): Change {
  return { isBreaking: direction === "sent", place, what };
}

export function widened(direction: Direction, place: string, what: string): Change {
  return { isBreaking: direction === "answered", place, what };
}

export function breaking(place: string, what: string): Change {
  return { isBreaking: true, place, what };
}

export function harmless(place: string, what: string): Change {
  return { isBreaking: false, place, what };
}
