import { type InboxLine as Line, type UserChannel, useMe } from "@madang/react";
import { useState } from "react";
import { ChannelAvatar } from "./avatar";
import type { Place } from "./conversation";
import { readDraft } from "./drafts";
import { formatCount, formatMoment, formatShort, partnerOf, senderOf, titleOf } from "./format";
import { Icon } from "./icons";
import type { MenuPlace } from "./menu";
import { isMuted, useChannelItems } from "./menu-items";
import { Menu } from "./on-demand";
import { usePreview } from "./preview";
import { useTexts } from "./texts";

interface InboxLineProps {
  readonly channel: Line;
  readonly isOpen: boolean;
  readonly isOnline: boolean;
  readonly onOpen: (place: Place) => void;
}

/** A conversation in the inbox. */
export function InboxLine({ channel, isOpen, isOnline, onOpen }: InboxLineProps) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  const {
    channel_id: channelId,
    unread_count: unread,
    mention_count: mentions,
    last_message: last,
  } = channel;
  const isPinned = channel.preferences?.pinned_at !== undefined;
  const [menu, setMenu] = useState<MenuPlace>();
  const items = useChannelItems(channel);
  const draft = isOpen ? "" : readDraft(myId, channelId);
  return (
    <li>
      <button
        type="button"
        className="chat-line"
        data-channel={channelId}
        aria-current={isOpen}
        onClick={() => onOpen({ channelId })}
        onContextMenu={(event) => {
          event.preventDefault();
          // The key for menus has no pointer.
          const { left, top } = event.currentTarget.getBoundingClientRect();
          const [x, y] = [event.clientX || left, event.clientY || top];
          setMenu({ left: x, right: x, top: y, bottom: y });
        }}
      >
        <ChannelAvatar channel={channel} myId={myId} isOnline={isOnline} />
        <span className="chat-line-title">
          <span className="chat-clip" dir="auto">
            {titleOf(channel, myId)}
          </span>
          {isOnline && <span className="chat-hidden">{texts.online}</span>}
          {isPinned && <Mark icon="pin" text={texts.pinned} />}
          {isMuted(channel) && <Mark icon="mute" text={texts.muted} />}
        </span>
        {last && (
          <time
            className="chat-quiet"
            dateTime={new Date(last.created_at).toISOString()}
            title={formatMoment(texts, last.created_at)}
          >
            {formatShort(texts, last.created_at)}
          </time>
        )}
        <span className="chat-line-text chat-clip" dir="auto">
          {draft === "" ? (
            <LastMessage channel={channel} myId={myId} />
          ) : (
            <>
              <b className="chat-draft">{texts.draft}</b> {draft}
            </>
          )}
        </span>
        {mentions > 0 && (
          <span className="chat-count chat-mention">
            <span aria-hidden="true">@</span>
            <span className="chat-hidden">{texts.mentioned}</span>
          </span>
        )}
        {unread > 0 && (
          <span className="chat-count" data-muted={isMuted(channel)}>
            <span aria-hidden="true">{formatCount(unread)}</span>
            <span className="chat-hidden">{texts.unreadCount(formatCount(unread))}</span>
          </span>
        )}
      </button>
      {menu && (
        <Menu
          label={texts.optionsOf(titleOf(channel, myId))}
          items={items}
          place={menu}
          onClose={() => setMenu(undefined)}
        />
      )}
    </li>
  );
}

const Mark = ({ icon, text }: { icon: "mute" | "pin"; text: string }) => (
  <span className="chat-mark">
    <Icon name={icon} size={16} />
    <span className="chat-hidden">{text}</span>
  </span>
);

function LastMessage({ channel, myId }: { channel: UserChannel; myId: string | undefined }) {
  const texts = useTexts();
  const preview = usePreview();
  const { last_message: last } = channel;
  if (last === undefined) return <i>{texts.noMessages}</i>;
  const sender = senderOf(last);
  const isDirect = partnerOf(channel, myId) !== undefined;
  return (
    <>
      {sender?.user_id === myId ? <b>{texts.you} </b> : !isDirect && sender && <b>{sender.name}: </b>}
      {preview(last)}
    </>
  );
}
