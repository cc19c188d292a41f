import { useInbox, useMe, useSearch } from "@madang/react";
import { Avatar, faceOf } from "./avatar";
import type { Place } from "./conversation";
import { formatMoment, formatShort, senderOf, titleOf } from "./format";
import { usePreview } from "./preview";
import { LinesSkeleton, Nothing } from "./status";
import { useTexts } from "./texts";

/** The messages that a text was found in, newest first. */
export function SearchResults({ text, onOpen }: { text: string; onOpen: (place: Place) => void }) {
  const texts = useTexts();
  const preview = usePreview();
  const myId = useMe()?.user_id;
  const { channels } = useInbox({ members: true });
  const { messages, hasMore, loadMore, isSearching, error } = useSearch(text);
  if (error !== undefined) return <Nothing title={texts.failed} />;
  if (messages.length === 0)
    return isSearching ? (
      <LinesSkeleton />
    ) : (
      <Nothing title={texts.nothingFound} hint={texts.nothingFoundHint} />
    );
  return (
    <ul className="chat-lines" aria-label={texts.results} aria-busy={isSearching}>
      {messages.map((message) => {
        const { message_id: id, channel_id: channelId, created_at: time } = message;
        const channel = channels.find((one) => one.channel_id === channelId);
        const sender = senderOf(message);
        return (
          <li key={id}>
            <button type="button" className="chat-line" onClick={() => onOpen({ channelId, around: id })}>
              <Avatar {...(sender ? faceOf(sender) : { id: channelId, name: channel?.name ?? "?" })} />
              <span className="chat-line-title" dir="auto">
                <span className="chat-clip">{sender?.name}</span>
                {channel && <small className="chat-clip">{titleOf(channel, myId)}</small>}
              </span>
              <time className="chat-quiet" title={formatMoment(texts, time)}>
                {formatShort(texts, time)}
              </time>
              <span className="chat-line-text chat-clip" dir="auto">
                {preview(message)}
              </span>
            </button>
          </li>
        );
      })}
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
