import { useScroll } from "@madang/react";
import type { History, HistoryState } from "@madang/react/store";
import type { ReactNode } from "react";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import { MessageRow, type MessageRowProps, type RepliedTo } from "./message-row";

interface MessageListProps extends Pick<MessageRowProps, "channelId" | "onMenu"> {
  readonly history: History;
  readonly state: HistoryState;
  /** The message that the address names, or the first one of its day. */
  readonly target: string | undefined;
  readonly onLatest: () => void;
}

/** Messages of one sender within this time stand together. */
const groupMs = 300_000;

/** The messages, which stay where they are when others are added above or below them. */
export function MessageList({ history, state, target, channelId, onMenu, onLatest }: MessageListProps) {
  const t = useTexts();
  const { day } = useFormat();
  const { messages = [], hasOlder, hasNewer, opening, position, repliedTo, loadErrors } = state;
  const { ref, onScroll } = useScroll<HTMLElement>({
    opening,
    position,
    hasOlder: hasOlder && loadErrors.older === undefined,
    hasNewer: hasNewer && loadErrors.newer === undefined,
    loadOlder: () => history.loadOlder(),
    loadNewer: () => history.loadNewer(),
  });

  const shownById = new Map(messages.map((shown) => [shown.message.message_id, shown]));
  const findRepliedTo = (id: string | undefined): RepliedTo | undefined => {
    if (id === undefined) return undefined;
    const shown = shownById.get(id);
    if (shown !== undefined) return shown.isDeleted ? "deleted" : shown.message;
    return repliedTo.has(id) ? (repliedTo.get(id) ?? "deleted") : undefined;
  };

  const items: ReactNode[] = [];
  let previousDay = "";
  let previous: (typeof messages)[number] | undefined;
  for (const shown of messages) {
    const { message } = shown;
    const currentDay = day(message.created_at);
    if (currentDay !== previousDay)
      items.push(
        <li key={`day ${message.message_id}`} className="day">
          <span>{currentDay}</span>
        </li>,
      );
    items.push(
      <MessageRow
        key={message.message_id}
        channelId={channelId}
        shown={shown}
        repliedTo={findRepliedTo(message.reply_to)}
        isContinued={currentDay === previousDay && isOfSameSender(previous, shown)}
        isTarget={message.message_id === target}
        onMenu={onMenu}
      />,
    );
    previousDay = currentDay;
    previous = shown;
  }

  return (
    <div className="messages-region">
      <section
        className="messages"
        aria-label={t.messages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        ref={ref}
        onScroll={onScroll}
      >
        {messages.length > 0 && !hasOlder && <p className="beginning">{t.beginning}</p>}
        {hasOlder && loadErrors.older === undefined && <p className="beginning">{t.loading}</p>}
        <ol className="message-items">{items}</ol>
      </section>
      {hasNewer && (
        <Button className="to-latest" icon="down" onClick={onLatest}>
          {t.toLatest}
        </Button>
      )}
    </div>
  );
}

function isOfSameSender(
  previous: { message: { created_at: number; user?: unknown; type: string } } | undefined,
  { message }: { message: { created_at: number; type: string; user?: unknown; reply_to?: unknown } },
): boolean {
  return (
    previous !== undefined &&
    message.type !== "system" &&
    message.reply_to === undefined &&
    message.created_at - previous.message.created_at < groupMs &&
    Object(previous.message.user).user_id === Object(message.user).user_id
  );
}
