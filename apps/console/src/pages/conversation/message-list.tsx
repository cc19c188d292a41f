import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { useFormat } from "../../text/format";
import { useTexts } from "../../text/language";
import { Button } from "../../ui/button";
import type { ConversationState, ConversationWindow } from "./conversation-window";
import { MessageRow, type MessageRowProps, type RepliedTo } from "./message-row";

interface MessageListProps extends Pick<MessageRowProps, "channelId" | "onMenu"> {
  readonly window: ConversationWindow;
  readonly state: ConversationState;
  /** The message that the address names. */
  readonly target: string | undefined;
  readonly onLatest: () => void;
}

/** How near to an end the next page is fetched, and what still counts as the bottom. */
const reachPx = 1_200;
const bottomPx = 40;
/** Messages of one sender within this time stand together. */
const groupMs = 300_000;

interface Anchor {
  readonly id: string;
  readonly top: number;
}

/** The messages, which stay where they are when others are added above or below them. */
export function MessageList({ window, state, target, channelId, onMenu, onLatest }: MessageListProps) {
  const t = useTexts();
  const { day } = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(undefined);
  const isAtBottom = useRef(true);
  const shownOpening = useRef<number>(undefined);
  const { messages = [], hasOlder, hasNewer, opening, position, repliedTo, loadErrors } = state;

  function load() {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    // What failed waits until the reader asks for it again.
    if (hasOlder && loadErrors.older === undefined && scrollTop < reachPx) void window.loadOlder();
    const belowPx = scrollHeight - scrollTop - clientHeight;
    if (hasNewer && loadErrors.newer === undefined && belowPx < reachPx) void window.loadNewer();
  }

  function remember() {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    isAtBottom.current = scrollHeight - scrollTop - clientHeight < bottomPx;
    anchor.current = findAnchor(element);
  }

  // Before the browser paints: the reader sees no jump.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || messages.length === 0) return;
    if (shownOpening.current !== opening) {
      shownOpening.current = opening;
      if (position === undefined) element.scrollTop = element.scrollHeight;
      else
        element
          .querySelector(`[data-message="${CSS.escape(position)}"]`)
          ?.scrollIntoView({ block: "center" });
    } else if (isAtBottom.current && !hasNewer) element.scrollTop = element.scrollHeight;
    else restore(element, anchor.current);
    remember();
  });

  // A page may not fill the screen.
  useEffect(load);

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
        ref={scroller}
        onScroll={() => {
          remember();
          load();
        }}
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

/** The first message that is at least partly seen. */
function findAnchor(element: HTMLElement): Anchor | undefined {
  const { top } = element.getBoundingClientRect();
  for (const row of element.querySelectorAll<HTMLElement>("[data-message]")) {
    const rect = row.getBoundingClientRect();
    if (rect.bottom > top) return { id: row.dataset.message ?? "", top: rect.top - top };
  }
  return undefined;
}

function restore(element: HTMLElement, anchor: Anchor | undefined): void {
  if (anchor === undefined) return;
  const row = element.querySelector(`[data-message="${CSS.escape(anchor.id)}"]`);
  if (row === null) return;
  const top = row.getBoundingClientRect().top - element.getBoundingClientRect().top;
  element.scrollTop += top - anchor.top;
}
