import type { ShownMessage } from "@madang/react";
import { useState } from "react";
import type { MessageActions } from "./conversation";
import { Icon } from "./icons";
import { Menu, type MenuPlace } from "./menu";
import { quickReactions, useMessageItems } from "./message-items";
import { useReport } from "./notices";
import { EmojiPicker } from "./on-demand";
import { useTexts } from "./texts";

interface MessageMenuProps {
  readonly shown: ShownMessage;
  readonly place: MenuPlace;
  readonly actions: MessageActions;
  readonly onReport: () => void;
  readonly onClose: () => void;
}

/** What a person can do with a message. */
export function MessageMenu({ shown, place, actions, onReport, onClose }: MessageMenuProps) {
  const texts = useTexts();
  const report = useReport();
  const [isPicking, setPicking] = useState(false);
  const onCopy = (text: string) => void navigator.clipboard.writeText(text).catch(report);
  const items = useMessageItems(shown, actions, { onReport, onCopy });
  const react = (reaction: string) => {
    onClose();
    actions.react(shown, reaction).catch(report);
  };
  return (
    <Menu label={texts.options} place={place} items={items} onClose={onClose}>
      <div className="chat-quick">
        {quickReactions.map((reaction) => (
          <button key={reaction} type="button" aria-label={reaction} onClick={() => react(reaction)}>
            {reaction}
          </button>
        ))}
        <button
          type="button"
          aria-label={texts.moreReactions}
          aria-expanded={isPicking}
          onClick={() => setPicking(!isPicking)}
        >
          <Icon name="down" />
        </button>
      </div>
      {isPicking && <EmojiPicker onPick={react} />}
    </Menu>
  );
}
