import type { EventType } from "@madang/contract";
import { columnOf, type Field } from "../db/row";

/** The resources of an event, as SQL expressions. */
export type About = Partial<
  Record<Exclude<Field<"Event">, "pk" | "transactionId" | "type" | "createdAt">, string>
>;

/**
 * A statement that writes one event for each row of `from`, for use in the statement that makes the change. The rows
 * must be those of the change itself, so that no event exists without an effect. Events of a channel must be written after its
 * row was locked, so that they are numbered in the order of their effects.
 */
export function emit(type: EventType, about: About, from: string): string {
  const columns = Object.keys(about).map(columnOf);
  return `INSERT INTO events (${["type", ...columns].join(", ")})
    SELECT ${[`'${type}'`, ...Object.values(about)].join(", ")} FROM ${from}`;
}
