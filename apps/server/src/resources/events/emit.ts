import type { EventType } from "@madang/contract";
import { columnOf, type Field } from "../../db/row";

/** The resources of an event, as SQL expressions. */
export type About = Partial<
  Record<Exclude<Field<"Event">, "pk" | "transactionId" | "type" | "createdAt">, string>
>;

/**
 * A statement that writes one event for each row of `from`, for use in the statement that makes the change. The rows
 * must come from the change itself, so that there is no event without an effect; and in a channel after its row was
 * locked, so that the events of the channel are numbered in the order of their effects.
 */
export function emit(type: EventType, about: About, from: string): string {
  const columns = Object.keys(about).map(columnOf);
  return `INSERT INTO {events} (${["type", ...columns].join(", ")})
    SELECT ${[`'${type}'`, ...Object.values(about)].join(", ")} FROM ${from}`;
}
