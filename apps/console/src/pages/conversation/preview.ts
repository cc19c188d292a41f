import type { Message } from "@madang/client";

/** A message in one line. */
export function previewOf(message: Message): string {
  return message.type === "file" ? message.file.name : message.content;
}
