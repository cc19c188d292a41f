import { type InboxFilter, useInbox, useMe, usePresence } from "@madang/react";
import { useState } from "react";
import { Avatar, faceOf } from "./avatar";
import type { Initial, Place } from "./conversation";
import { partnerOf } from "./format";
import { Icon } from "./icons";
import { InboxLine } from "./inbox-line";
import { PushSwitch, SearchResults } from "./on-demand";
import { LinesSkeleton, Nothing } from "./status";
import { useTexts } from "./texts";

interface InboxProps {
  readonly place: Place | undefined;
  readonly onOpen: (place: Place) => void;
  readonly initial: Initial | undefined;
  readonly serviceWorker: string | undefined;
}

/** The conversations of the person, and a search in all of them. */
export function Inbox({ place, onOpen, initial, serviceWorker }: InboxProps) {
  const texts = useTexts();
  const me = useMe();
  const [text, setText] = useState("");
  const [filter, setFilter] = useState<InboxFilter>("all");
  return (
    <nav className="chat-inbox" aria-label={texts.chats}>
      <header className="chat-bar">
        {me && <Avatar {...faceOf(me)} size={36} />}
        <h1 className="chat-clip">{texts.chats}</h1>
        {serviceWorker && <PushSwitch address={serviceWorker} />}
      </header>
      <label className="chat-search">
        <Icon name="search" size={18} />
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text.trim() ? (
        <SearchResults text={text} onOpen={onOpen} />
      ) : (
        <>
          <div className="chat-filters">
            {filters.map((each) => (
              <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
                {texts[each]}
              </button>
            ))}
          </div>
          <Lines key={filter} filter={filter} openId={place?.channelId} onOpen={onOpen} initial={initial} />
        </>
      )}
    </nav>
  );
}

const filters = ["all", "unread", "archived", "hidden"] as const;

interface LinesProps {
  readonly filter: InboxFilter;
  readonly openId: string | undefined;
  readonly onOpen: (place: Place) => void;
  readonly initial: Initial | undefined;
}

function Lines({ filter, openId, onOpen, initial }: LinesProps) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  const { channels, hasMore, loadMore, state } = useInbox({
    members: true,
    filter,
    initial: filter === "all" ? initial?.channels : undefined,
  });
  // At most 100 on a page.
  const partners = channels.flatMap((channel) => partnerOf(channel, myId)?.user_id ?? []).slice(0, 60);
  const { isOnline } = usePresence(partners);
  if (state === "failed" && channels.length === 0)
    return <Nothing title={texts.chatsFailed} retry={() => void loadMore()} />;
  if (state === "loading" && channels.length === 0) return <LinesSkeleton />;
  if (channels.length === 0) {
    const nothing = {
      all: <Nothing title={texts.noChats} hint={texts.noChatsHint} />,
      unread: <Nothing title={texts.noUnread} />,
      archived: <Nothing title={texts.noArchived} />,
      hidden: <Nothing title={texts.noHidden} hint={texts.noHiddenHint} />,
    };
    return nothing[filter];
  }
  return (
    <ul
      className="chat-lines"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        if (hasMore && scrollHeight - scrollTop - clientHeight < 600) void loadMore();
      }}
    >
      {channels.map((channel) => (
        <InboxLine
          key={channel.channel_id}
          channel={channel}
          isOpen={channel.channel_id === openId}
          isOnline={isOnline(partnerOf(channel, myId)?.user_id ?? "")}
          onOpen={onOpen}
        />
      ))}
      {hasMore && (
        <li>
          <button type="button" className="chat-more" onClick={() => void loadMore()}>
            {texts.more}
          </button>
        </li>
      )}
    </ul>
  );
}
