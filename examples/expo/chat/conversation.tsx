import {
  type ConversationView,
  type InboxLine,
  type ShownMessage,
  useConversation,
  useInbox,
  useMe,
  usePresence,
} from "@madang/react";
import { useMemo, useState } from "react";
import { ActivityIndicator, KeyboardAvoidingView, Platform, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import { ChannelAvatar } from "./avatar";
import { Composer } from "./composer";
import { ConversationMenu } from "./conversation-menu";
import { formatPresence, namesOf, partnerOf, titleOf } from "./format";
import { Round } from "./icons";
import { MessageList } from "./message-list";
import { ConnectionBar, Nothing } from "./status";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";

/** A conversation, and the message in it to show. */
export interface Place {
  readonly channelId: string;
  readonly around?: string | undefined;
}

interface ConversationProps extends Place {
  readonly onLeave: () => void;
  readonly hasBack: boolean;
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
  const { channels, state } = useInbox({ members: true });
  const channel = channels.find((one) => one.channel_id === props.channelId);
  if (channel !== undefined) return <OpenConversation {...props} channel={channel} />;
  return state === "loading" ? <Loading /> : <SetAside {...props} />;
}

/** A conversation that the person has archived or hidden. */
function SetAside(props: ConversationProps) {
  const archived = useInbox({ members: true, filter: "archived" });
  const hidden = useInbox({ members: true, filter: "hidden" });
  const channel = [...archived.channels, ...hidden.channels].find(
    (one) => one.channel_id === props.channelId,
  );
  if (channel === undefined && (archived.state === "loading" || hidden.state === "loading"))
    return <Loading />;
  return <OpenConversation {...props} channel={channel} />;
}

const Loading = () => <ActivityIndicator style={{ flex: 1, backgroundColor: useColors().stage }} />;

/** Who it is with, its messages, and what is being written. */
function OpenConversation({
  channelId,
  around,
  onLeave,
  hasBack,
  channel,
}: ConversationProps & { channel: InboxLine | undefined }) {
  const texts = useTexts();
  const colors = useColors();
  const insets = useSafeAreaInsets();
  const myId = useMe()?.user_id;
  // Where reading was interrupted, when the conversation is opened.
  const [unread] = useState(() => ({ after: channel?.read_message_id, count: channel?.unread_count ?? 0 }));
  const conversation = useConversation(channelId, {
    around: around ?? (unread.count > 0 ? unread.after : undefined),
  });
  const { react, remove, retry, discard, state, reload, members } = conversation;
  const [task, setTask] = useState<Task>();
  const actions = useMemo<MessageActions>(
    () => ({ channelId, react, remove, retry, discard, start: setTask }),
    [channelId, react, remove, retry, discard],
  );
  const partner = channel && partnerOf(channel, myId);
  const presence = usePresence(partner ? [partner.user_id] : []).users.get(partner?.user_id ?? "");
  const subtitle = partner ? presence && formatPresence(texts, presence) : namesOf(members, myId, texts);
  return (
    <KeyboardAvoidingView
      behavior={Platform.OS === "ios" ? "padding" : "height"}
      style={{
        flex: 1,
        paddingTop: insets.top,
        paddingEnd: insets.right,
        backgroundColor: colors.background,
      }}
    >
      <View
        style={{ flexDirection: "row", alignItems: "center", gap: 10, minHeight: 60, paddingHorizontal: 8 }}
      >
        {hasBack && <Round icon="back" label={texts.back} color={colors.accentText} onPress={onLeave} />}
        {channel && (
          <ChannelAvatar channel={channel} myId={myId} size={40} isOnline={presence?.status === "online"} />
        )}
        <View style={{ flex: 1 }}>
          <Label role="heading" size={17} isBold numberOfLines={1}>
            {channel && titleOf(channel, myId)}
          </Label>
          {subtitle ? (
            <Label size={13} color={colors.quiet} numberOfLines={1}>
              {subtitle}
            </Label>
          ) : null}
        </View>
        {channel && <ConversationMenu channel={channel} partner={partner} onLeave={onLeave} />}
      </View>
      <ConnectionBar />
      <View style={{ flex: 1, backgroundColor: colors.stage }}>
        {state === "failed" && conversation.messages.length === 0 ? (
          <Nothing title={texts.notMember} hint={texts.notMemberHint} retry={reload} />
        ) : (
          <MessageList conversation={conversation} channel={channel} unread={unread} actions={actions} />
        )}
      </View>
      <Composer conversation={conversation} channel={channel} task={task} onTask={setTask} />
    </KeyboardAvoidingView>
  );
}
