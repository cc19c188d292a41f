import type { Message } from "@madang/client";

/** The order of messages: by time, and within a millisecond by the number in their id. */
export function compareIds(one: string, other: string): number {
  const [oneAt = 0, oneNumber = 0] = one.split("-").map(Number);
  const [otherAt = 0, otherNumber = 0] = other.split("-").map(Number);
  return oneAt - otherAt || oneNumber - otherNumber;
}

export const compareMessages = (one: Message, other: Message): number =>
  one.created_at - other.created_at || compareIds(one.message_id, other.message_id);
