import { type ConversationView, type InboxLine, useChat, useMe, usePresence } from "@madang/react";
import { useEffect, useRef, useState } from "react";
import { ChannelAvatar } from "./avatar";
import { formatPresence, namesOf, titleOf } from "./format";
import { Icon } from "./icons";
import type { MenuPlace } from "./menu";
import { useConversationItems } from "./menu-items";
import { useReport } from "./notices";
import { Dialog, Menu, ReportDialog } from "./on-demand";
import { useTexts } from "./texts";

interface ConversationBarProps {
  readonly channel: InboxLine | undefined;
  /** The other person of a one-to-one channel. */
  readonly partner: NonNullable<InboxLine["members"]>[number] | undefined;
  readonly members: ConversationView["members"];
  readonly onLeave: () => void;
}

/** Who a conversation is with, and what can be done with it. */
export function ConversationBar({ channel, partner, members, onLeave }: ConversationBarProps) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  const presence = usePresence(partner ? [partner.user_id] : []).users.get(partner?.user_id ?? "");
  const heading = useRef<HTMLHeadingElement>(null);
  // The list that had the focus is not shown beside it on a phone, where the field would open the keyboard.
  useEffect(() => {
    if (!matchMedia("(hover: hover)").matches) heading.current?.focus();
  }, []);
  return (
    <header className="chat-bar">
      <button type="button" className="chat-round chat-back" aria-label={texts.back} onClick={onLeave}>
        <Icon name="back" size={24} />
      </button>
      {channel && (
        <ChannelAvatar channel={channel} myId={myId} size={40} isOnline={presence?.status === "online"} />
      )}
      <div className="chat-who">
        <h1 ref={heading} className="chat-clip" dir="auto" tabIndex={-1}>
          {channel && titleOf(channel, myId)}
        </h1>
        <p className="chat-quiet chat-clip">
          {partner ? presence && formatPresence(texts, presence) : namesOf(members, myId, texts)}
        </p>
      </div>
      {channel && <Options channel={channel} partner={partner} onLeave={onLeave} />}
    </header>
  );
}

interface OptionsProps extends Pick<ConversationBarProps, "partner" | "onLeave"> {
  readonly channel: InboxLine;
}

function Options({ channel, partner, onLeave }: OptionsProps) {
  const texts = useTexts();
  const chat = useChat();
  const me = useMe();
  const report = useReport();
  const [place, setPlace] = useState<MenuPlace>();
  const [question, setQuestion] = useState<"report" | "leave">();
  const { channel_id: channelId } = channel;
  const items = useConversationItems(channel, {
    partner,
    onReport: () => setQuestion("report"),
    onLeave: () => setQuestion("leave"),
  });
  return (
    <>
      <button
        type="button"
        className="chat-round"
        aria-label={texts.options}
        aria-haspopup="dialog"
        onClick={(event) => setPlace(event.currentTarget.getBoundingClientRect())}
      >
        <Icon name="more" />
      </button>
      {place && (
        <Menu label={texts.options} items={items} place={place} onClose={() => setPlace(undefined)} />
      )}
      {question === "report" && (
        <ReportDialog
          about={{ channel_id: channelId, ...(partner && { reported_user_id: partner.user_id }) }}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {question === "leave" && (
        <Dialog
          title={texts.leaveQuestion(titleOf(channel, me?.user_id))}
          hint={texts.leaveHint}
          action={texts.leave}
          isDangerous
          onDone={() => void chat.channels.members.leave(channelId, me?.user_id ?? "").then(onLeave, report)}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}
