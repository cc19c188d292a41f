import { type Message, useBlocks } from "@madang/react";
import { previewOf, senderOf } from "./format";
import { useTexts } from "./texts";

/** A message in one line, for lists. What somebody has written whom the user has blocked is not shown there. */
export function usePreview(): (message: Message) => string {
  const texts = useTexts();
  const { isBlocked } = useBlocks();
  return (message) => {
    const sender = senderOf(message);
    return sender && isBlocked(sender) ? texts.blockedMessage : previewOf(message, texts);
  };
}
