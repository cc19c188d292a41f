import { type ShownMessage, useBlocks } from "@madang/react";
import type { MessageActions } from "./conversation";
import type { MenuItem } from "./menu";
import { useNotice, useReport } from "./notices";
import { useTexts } from "./texts";

export const quickReactions = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

interface MessageSteps {
  readonly onReport: () => void;
  /** Where a text can be copied. */
  readonly onCopy?: (text: string) => void;
}

/** What a person can do with a message. */
export function useMessageItems(
  shown: ShownMessage,
  actions: MessageActions,
  { onReport, onCopy }: MessageSteps,
): MenuItem[] {
  const texts = useTexts();
  const report = useReport();
  const notify = useNotice();
  const { block } = useBlocks();
  const { message, isOwn } = shown;
  if (message.type === "system") return [];
  const { user } = message;
  const text = message.type === "text" ? message.content : "";
  const reply: MenuItem = {
    label: texts.reply,
    icon: "reply",
    onSelect: () => actions.start({ kind: "reply", shown }),
  };
  const copy: MenuItem[] =
    onCopy === undefined || text === ""
      ? []
      : [{ label: texts.copy, icon: "copy", onSelect: () => onCopy(text) }];
  const own: MenuItem[] = [
    { label: texts.edit, icon: "edit", onSelect: () => actions.start({ kind: "edit", shown }) },
    {
      label: texts.remove,
      icon: "trash",
      isDangerous: true,
      onSelect: () => void actions.remove(shown).catch(report),
    },
  ];
  const others: MenuItem[] = [
    { label: texts.report, icon: "flag", onSelect: onReport },
    {
      label: texts.block(user.name),
      icon: "block",
      isDangerous: true,
      onSelect: () => void block(user).then(() => notify(texts.blocked(user.name)), report),
    },
  ];
  return [reply, ...copy, ...(isOwn ? own : others)];
}
