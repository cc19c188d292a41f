import type { Message } from "@madang/client";

/** A message in one line. One without a text has parts, or is being written. */
export function previewOf(message: Message): string {
  if (message.type === "file") return message.file.name;
  return message.content || (message.parts ?? []).map(({ type }) => type).join(", ");
}
