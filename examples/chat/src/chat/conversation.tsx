import {
  type ConversationView,
  type InboxLine,
  type InitialChannels,
  type InitialMessages,
  type ShownMessage,
  useBlocks,
  useConversation,
  useInbox,
  useMe,
} from "@madang/react";
import { useCallback, useMemo, useState } from "react";
import { Composer } from "./composer";
import { DropZone } from "./composer-files";
import { ConversationBar } from "./conversation-bar";
import { partnerOf } from "./format";
import { MessageList } from "./message-list";
import { useReport } from "./notices";
import { Nothing } from "./status";
import { useTexts } from "./texts";

/** A conversation, and the message in it to show. */
export interface Place {
  readonly channelId: string;
  readonly around?: string | undefined;
}

/** What a server has read, to be shown until the page has read it itself. */
export interface Initial {
  readonly channels?: InitialChannels | undefined;
  /** The newest messages of a channel. */
  readonly channelId?: string | undefined;
  readonly messages?: InitialMessages | undefined;
}

interface ConversationProps extends Place {
  readonly initial: Initial | undefined;
  readonly onLeave: () => void;
}

/** What the composer is about, besides a new message. */
export type Task = { readonly kind: "reply" | "edit"; readonly shown: ShownMessage };

/** What a message can do. It stays the same, so that a message is rendered only when it changes. */
export interface MessageActions extends Pick<ConversationView, "react" | "remove" | "retry" | "discard"> {
  readonly channelId: string;
  readonly start: (task: Task) => void;
}

/** A conversation. Only the inbox knows what is unread in it, and so where it opens. */
export function Conversation(props: ConversationProps) {
  const { channels, state } = useInbox({ members: true, initial: props.initial?.channels });
  const channel = channels.find((one) => one.channel_id === props.channelId);
  if (channel !== undefined) return <OpenConversation {...props} channel={channel} />;
  if (state === "loading") return <section className="chat-conversation" aria-busy="true" />;
  return <SetAside {...props} />;
}

/** A conversation that the person has archived or hidden. */
function SetAside(props: ConversationProps) {
  const archived = useInbox({ members: true, filter: "archived" });
  const hidden = useInbox({ members: true, filter: "hidden" });
  const channel = [...archived.channels, ...hidden.channels].find(
    (one) => one.channel_id === props.channelId,
  );
  if (channel === undefined && (archived.state === "loading" || hidden.state === "loading"))
    return <section className="chat-conversation" aria-busy="true" />;
  return <OpenConversation {...props} channel={channel} />;
}

/** Who it is with, its messages, and what is being written. */
function OpenConversation({
  channelId,
  around,
  onLeave,
  channel,
  initial,
}: ConversationProps & { channel: InboxLine | undefined }) {
  const texts = useTexts();
  const myId = useMe()?.user_id;
  // Where reading was interrupted, when the conversation is opened.
  const [unread] = useState(() => ({ after: channel?.read_message_id, count: channel?.unread_count ?? 0 }));
  const start = around ?? (unread.count > 0 ? unread.after : undefined);
  const conversation = useConversation(channelId, {
    around: start,
    initial: initial?.channelId === channelId ? initial.messages : undefined,
  });
  const { react, remove, retry, discard, state, reload, members } = conversation;
  const isClosed = state === "failed" && conversation.messages.length === 0;
  const [task, setTask] = useState<Task>();
  const [dropped, setDropped] = useState<readonly File[]>([]);
  const actions = useMemo<MessageActions>(
    () => ({
      channelId,
      react,
      remove,
      retry,
      discard,
      start: setTask,
    }),
    [channelId, react, remove, retry, discard],
  );
  const clearDropped = useCallback(() => setDropped([]), []);
  const partner = channel && partnerOf(channel, myId);
  const { isBlocked, unblock } = useBlocks();
  const report = useReport();
  return (
    <DropZone onDrop={setDropped}>
      <ConversationBar channel={channel} partner={partner} members={members} onLeave={onLeave} />
      {isClosed ? (
        <Nothing title={texts.notMember} hint={texts.notMemberHint} retry={reload} />
      ) : (
        <MessageList conversation={conversation} channel={channel} unread={unread} actions={actions} />
      )}
      {partner && isBlocked(partner) ? (
        <p className="chat-instead">
          {texts.blocked(partner.name)}
          <button type="button" className="chat-button" onClick={() => void unblock(partner).catch(report)}>
            {texts.unblock(partner.name)}
          </button>
        </p>
      ) : (
        !isClosed && (
          <Composer
            conversation={conversation}
            channelId={channelId}
            channel={channel}
            task={task}
            onTask={setTask}
            dropped={dropped}
            onTaken={clearDropped}
          />
        )
      )}
    </DropZone>
  );
}
