import { type ConversationView, type ShownMessage, type UserChannel, useMe, useScroll } from "@madang/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { MessageActions } from "./conversation";
import { formatCount, formatDay, partnerOf } from "./format";
import { findReceipts, groupByDay, type Unread, useFirstUnread } from "./group-messages";
import { Icon } from "./icons";
import { flash, markScrolling, moveFocus } from "./list-behaviour";
import { MessageRow } from "./message-row";
import { Announcer, Nothing } from "./status";
import { useTexts } from "./texts";

interface MessageListProps {
  readonly conversation: ConversationView;
  readonly channel: UserChannel | undefined;
  readonly unread: Unread;
  readonly actions: MessageActions;
}

/** The messages by day. It grows in both directions, and opens where reading was interrupted. */
export function MessageList({ conversation, channel, unread, actions }: MessageListProps) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  const { messages, members, hasOlder, hasNewer, state, error, open, reload, opening } = conversation;
  const firstUnread = useFirstUnread(messages, unread);
  // Of a channel that was never read, the service does not know where to open it.
  const position = conversation.position ?? (opening <= 1 ? firstUnread : undefined);
  const { ref, onScroll } = useScroll<HTMLDivElement>({ ...conversation, position }, conversation.markRead);
  const stage = useRef<HTMLDivElement>(null);
  const [isAway, setAway] = useState(false);
  // It may open at its beginning, and then does not scroll.
  useEffect(() => setAway(isAwayFromEnd(stage.current?.firstElementChild)));
  const isLoading = messages.length === 0 && state === "loading";
  const jumpedTo = useRef<string>(undefined);
  const jump = useCallback(
    (messageId: string) => {
      if (flash(messageId)) return;
      jumpedTo.current = messageId;
      void open(messageId);
    },
    [open],
  );
  useEffect(() => {
    if (jumpedTo.current !== undefined && flash(jumpedTo.current)) jumpedTo.current = undefined;
  }, [opening]);

  const unreadCount = channel?.unread_count ?? 0;
  const isGroup = channel === undefined || partnerOf(channel, myId) === undefined;
  const { readIndex, lastOwn, readers } = findReceipts(conversation);
  if (isLoading) return <Skeleton />;
  return (
    <div ref={stage} className="chat-stage">
      <section
        ref={ref}
        className="chat-messages"
        aria-label={texts.messages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveFocus}
        onScroll={({ currentTarget }) => {
          onScroll();
          setAway(isAwayFromEnd(currentTarget));
          markScrolling(currentTarget);
        }}
      >
        {hasOlder ? <i className="chat-spinner" /> : <Beginning isEmpty={messages.length === 0} />}
        {groupByDay(messages, firstUnread, texts).map(({ day, time, rows }) => (
          <section key={day} className="chat-day">
            <h2>
              <time dateTime={new Date(time).toISOString()}>{formatDay(texts, time)}</time>
            </h2>
            <ol>
              {rows.map(({ shown, index, isFirst, isLast }) => (
                <MessageRow
                  key={shown.key}
                  shown={shown}
                  isFirst={isFirst}
                  isLast={isLast}
                  isGroup={isGroup}
                  isFirstUnread={shown.key === firstUnread}
                  isRead={index <= readIndex}
                  readers={shown === lastOwn && isGroup ? readers : ""}
                  members={hasMentions(shown) ? members : nobody}
                  actions={actions}
                  onJump={jump}
                />
              ))}
            </ol>
          </section>
        ))}
        {hasNewer && <i className="chat-spinner" />}
      </section>
      {error !== undefined && (
        <p className="chat-connection" role="status">
          {texts.notLoaded}
          <button type="button" className="chat-link" onClick={reload}>
            {texts.tryAgain}
          </button>
        </p>
      )}
      {(isAway || hasNewer) && messages.length > 0 && (
        <button
          type="button"
          className="chat-newest"
          aria-label={
            unreadCount === 0
              ? texts.toNewest
              : `${texts.toNewest}, ${texts.unreadCount(formatCount(unreadCount))}`
          }
          onClick={() => {
            const list = stage.current?.firstElementChild;
            if (hasNewer) void open();
            else list?.scrollTo({ top: list.scrollHeight, behavior: "smooth" });
          }}
        >
          <Icon name="down" size={22} />
          {unreadCount > 0 && <span className="chat-count">{formatCount(unreadCount)}</span>}
        </button>
      )}
      <Announcer messages={messages} hasNewer={hasNewer} />
    </div>
  );
}

const isAwayFromEnd = (list: Element | null | undefined): boolean =>
  !!list && list.scrollHeight - list.scrollTop - list.clientHeight > 240;

/** The members change with each receipt, and all messages that get them are rendered anew: only some need their names. */
const hasMentions = ({ message }: ShownMessage) => message.type !== "file" && message.mentions !== undefined;
const nobody: ConversationView["members"] = [];

function Beginning({ isEmpty }: { isEmpty: boolean }) {
  const texts = useTexts();
  return isEmpty ? (
    <Nothing title={texts.beginning} hint={texts.sayHello} />
  ) : (
    <p className="chat-beginning chat-quiet">{texts.beginning}</p>
  );
}

const Skeleton = () => (
  <div className="chat-stage" aria-busy="true">
    <div className="chat-messages chat-skeleton">
      {[46, 30, 58, 38, 52, 26].map((width, index) => (
        <i key={width} data-own={index % 3 === 2} style={{ width: `${width}%` }} />
      ))}
    </div>
  </div>
);
