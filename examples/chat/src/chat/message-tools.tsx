import { type ShownMessage, useMe } from "@madang/react";
import type { MessageActions } from "./conversation";
import { Icon } from "./icons";
import type { MenuPlace } from "./menu";
import { useReport } from "./notices";
import { useTexts } from "./texts";

interface MessageToolsProps {
  readonly onOpen: (place: MenuPlace) => void;
  readonly onReply: () => void;
}

/** What is shown beside a message that is pointed at. */
export function MessageTools({ onOpen, onReply }: MessageToolsProps) {
  const texts = useTexts();
  return (
    <div className="chat-tools">
      <button type="button" aria-label={texts.reply} title={texts.reply} onClick={onReply}>
        <Icon name="reply" size={18} />
      </button>
      <button
        type="button"
        aria-label={texts.options}
        title={texts.options}
        aria-haspopup="dialog"
        onClick={(event) => onOpen(event.currentTarget.getBoundingClientRect())}
      >
        <Icon name="smile" size={18} />
      </button>
    </div>
  );
}

/** The reactions to a message, with how many people have each. */
export function Reactions({ shown, actions }: { shown: ShownMessage; actions: MessageActions }) {
  const texts = useTexts();
  const report = useReport();
  const isKnown = useMe() !== undefined;
  return (
    <fieldset className="chat-reactions" aria-label={texts.react} disabled={!isKnown}>
      {shown.message.reactions?.map(({ reaction, count, own }) => (
        <button
          key={reaction}
          type="button"
          aria-pressed={own === true}
          onClick={() => actions.react(shown, reaction).catch(report)}
        >
          {reaction} <span>{count}</span>
        </button>
      ))}
    </fieldset>
  );
}
