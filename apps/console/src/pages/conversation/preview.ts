import type { Message } from "@madang/client";

/** A message in one line. One without a text has files or parts, or is being written. */
export function previewOf(message: Message): string {
  if (message.type === "file") return message.file.name;
  const others = [
    ...(message.attachments ?? []).map(({ name }) => name),
    ...(message.parts ?? []).map(({ type }) => type),
  ];
  return message.content || others.join(", ");
}
