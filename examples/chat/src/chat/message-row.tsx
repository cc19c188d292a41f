import type { Participant, ShownMessage } from "@madang/react";
import { type MouseEvent, memo, useState } from "react";
import { Avatar, faceOf } from "./avatar";
import { Bubble } from "./bubble";
import type { MessageActions } from "./conversation";
import { formatTime, previewOf, reasonOf, senderOf } from "./format";
import { Icon } from "./icons";
import type { MenuPlace } from "./menu";
import { MessageTools, Reactions } from "./message-tools";
import { MessageMenu, ReportDialog } from "./on-demand";
import { type Texts, useTexts } from "./texts";

interface MessageRowProps {
  readonly shown: ShownMessage;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether names and faces are shown. */
  readonly isGroup: boolean;
  readonly isFirstUnread: boolean;
  readonly isRead: boolean;
  readonly readers: string;
  readonly members: readonly Participant[];
  readonly actions: MessageActions;
  readonly onJump: (messageId: string) => void;
}

/** A message. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { shown, isFirst, isLast, isGroup, isFirstUnread, readers, actions } = props;
  const { key, status, message, isOwn, isBlocked, isDeleted, error } = shown;
  const texts = useTexts();
  const [isActive, setActive] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const [menu, setMenu] = useState<MenuPlace>();
  const [isReporting, setReporting] = useState(false);
  const sender = senderOf(message);
  const isFolded = isBlocked && !isUnfolded;
  const isUsable = status === "sent" && !isDeleted && !isFolded && sender !== undefined;
  const openMenu = (event: MouseEvent) => {
    if (!isUsable || (event.target as Element).closest("a, button, img")) return;
    event.preventDefault();
    setMenu({ left: event.clientX, right: event.clientX, top: event.clientY, bottom: event.clientY });
  };
  return (
    <li
      className="chat-row"
      data-message={key}
      data-id={message.message_id}
      data-own={isOwn}
      data-first={isFirst}
      data-last={isLast}
      data-system={sender === undefined}
      tabIndex={-1}
      aria-label={isFolded ? texts.blockedMessage : nameOf(shown, texts)}
      onContextMenu={openMenu}
      onPointerEnter={({ pointerType }) => setActive(pointerType === "mouse")}
      onPointerLeave={() => setActive(false)}
      onFocus={() => setActive(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setActive(false);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget || !isUsable) return;
        // Otherwise it presses the first button of the menu.
        event.preventDefault();
        setMenu(event.currentTarget.getBoundingClientRect());
      }}
    >
      {isFirstUnread && <p className="chat-unread-line">{texts.newMessages}</p>}
      {isGroup && !isOwn && sender && (
        <span className="chat-face">{isLast && <Avatar {...faceOf(sender)} size={32} />}</span>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a keyboard opens the menu by the row */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a keyboard opens the menu by the row */}
      <div
        className="chat-column"
        onClick={(event) => matchMedia("(hover: none)").matches && openMenu(event)}
      >
        {isFolded ? (
          <p className="chat-bubble chat-folded">
            {texts.blockedMessage}
            <button type="button" className="chat-link" onClick={() => setUnfolded(true)}>
              {texts.show}
            </button>
          </p>
        ) : (
          <Bubble {...props} name={isGroup && !isOwn && isFirst ? sender : undefined} />
        )}
        {isUsable && isActive && (
          <MessageTools onOpen={setMenu} onReply={() => actions.start({ kind: "reply", shown })} />
        )}
        {isUsable && message.reactions && <Reactions shown={shown} actions={actions} />}
        {status === "failed" && (
          <p className="chat-failed" role="status">
            <Icon name="warning" size={16} />
            {reasonOf(error, texts)}
            {error?.canRetry && (
              <button type="button" className="chat-link" onClick={() => actions.retry(shown)}>
                {texts.retry}
              </button>
            )}
            <button type="button" className="chat-link" onClick={() => actions.discard(shown)}>
              {texts.discard}
            </button>
          </p>
        )}
        {readers !== "" && <p className="chat-readers chat-quiet">{texts.readBy(readers)}</p>}
      </div>
      {menu && (
        <MessageMenu
          shown={shown}
          place={menu}
          actions={actions}
          onReport={() => setReporting(true)}
          onClose={() => setMenu(undefined)}
        />
      )}
      {isReporting && sender && (
        <ReportDialog
          about={{
            channel_id: message.channel_id,
            message_id: message.message_id,
            reported_user_id: sender.user_id,
          }}
          onClose={() => setReporting(false)}
        />
      )}
    </li>
  );
});

/** What a screen reader says of a message that has the focus. */
function nameOf({ message, isOwn, isDeleted }: ShownMessage, texts: Texts): string {
  const text = isDeleted ? texts.deleted : previewOf(message, texts);
  const sender = senderOf(message);
  const words = isOwn ? texts.you : sender ? `${sender.name}:` : "";
  return `${words} ${text}, ${formatTime(texts, message.created_at)}`.trim();
}
