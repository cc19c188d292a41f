import { type Participant, type ShownMessage, type User, useChat } from "@madang/react";
import { View } from "react-native";
import { Attachments } from "./attachments";
import type { MessageActions } from "./conversation";
import { formatTime, hueOf, isEmojiOnly } from "./format";
import { Icon } from "./icons";
import { useReport } from "./notices";
import { Quote } from "./quote";
import { RichText } from "./rich-text";
import { Link } from "./status";
import { useTexts } from "./texts";
import { Label, nameColor, useColors } from "./theme";

interface BubbleProps {
  readonly shown: ShownMessage;
  readonly isFirst: boolean;
  readonly isRead: boolean;
  readonly members: readonly Participant[];
  readonly actions: MessageActions;
  readonly onJump: (messageId: string) => void;
  /** Who is named above it. */
  readonly name: User | undefined;
}

const round = 19;
const joined = 6;

/** What a message says. */
export function Bubble({ shown, name, isFirst, isRead, members, actions, onJump }: BubbleProps) {
  const texts = useTexts();
  const colors = useColors();
  const chat = useChat();
  const report = useReport();
  const { message, isOwn, isDeleted, quote, isQuoteBlocked, progress } = shown;
  const text = message.type === "file" ? "" : message.content;
  const files = message.type === "file" ? [{ file_id: "", ...message.file }] : (message.attachments ?? []);
  const isStreaming = message.type !== "file" && message.state === "streaming";
  if (message.type === "system")
    return (
      <Label size={13} color={colors.quiet} style={{ textAlign: "center", padding: 6 }}>
        {text}
      </Label>
    );
  if (isDeleted)
    return (
      <View
        style={{
          flexDirection: "row",
          gap: 6,
          padding: 10,
          borderRadius: round,
          borderWidth: 1,
          borderColor: colors.line,
        }}
      >
        <Icon name="trash" size={16} color={colors.quiet} />
        <Label size={14} color={colors.quiet}>
          {texts.deleted}
        </Label>
      </View>
    );
  const isBare = files.length === 0 && quote === undefined && isEmojiOnly(text);
  const color = isOwn && !isBare ? colors.onAccent : colors.text;
  const near = { [isOwn ? "borderTopEndRadius" : "borderTopStartRadius"]: isFirst ? round : joined };
  const far = { [isOwn ? "borderBottomEndRadius" : "borderBottomStartRadius"]: joined };
  return (
    <View
      style={[
        { borderRadius: round, overflow: "hidden" },
        !isBare && {
          paddingHorizontal: 12,
          paddingVertical: 8,
          backgroundColor: isOwn ? colors.accent : colors.bubble,
        },
        near,
        far,
      ]}
    >
      {name && (
        <Label size={14} isBold color={nameColor(colors, hueOf(name.user_id))} style={{ marginBottom: 2 }}>
          {name.name}
        </Label>
      )}
      {quote !== undefined && message.reply_to !== undefined && (
        <Quote
          quote={isQuoteBlocked ? undefined : quote}
          isOwn={isOwn}
          onJump={() => onJump(message.reply_to ?? "")}
        />
      )}
      {files.length > 0 && <Attachments files={files} progress={progress} color={color} />}
      <View style={{ flexDirection: "row", flexWrap: "wrap", justifyContent: "flex-end", columnGap: 10 }}>
        <View style={{ flexShrink: 1, flexGrow: 1 }}>
          {text !== "" || isStreaming ? (
            <RichText
              text={isStreaming ? `${text}▍` : text}
              size={isBare ? 44 : 16}
              color={color}
              accent={isOwn ? color : colors.accentText}
              members={members}
              mentions={message.mentions}
            />
          ) : null}
        </View>
        <Meta shown={shown} isRead={isRead} color={isOwn && !isBare ? colors.onAccentQuiet : colors.quiet} />
      </View>
      {isStreaming && (
        <Link
          text={texts.stop}
          color={isOwn ? color : colors.danger}
          onPress={() =>
            void chat.messages
              .finish(actions.channelId, message.message_id, { state: "cancelled" })
              .catch(report)
          }
        />
      )}
    </View>
  );
}

interface MetaProps extends Pick<BubbleProps, "shown" | "isRead"> {
  readonly color: string;
}

function Meta({ shown: { status, message, isOwn }, isRead, color }: MetaProps) {
  const texts = useTexts();
  const state = message.type === "file" ? undefined : message.state;
  const isSending = status === "sending";
  const words = [
    state === "cancelled" && texts.stopped,
    state === "interrupted" && texts.interrupted,
    message.edited_at !== undefined && state === undefined && texts.edited,
    formatTime(texts, message.created_at),
  ].filter(Boolean);
  return (
    <View style={{ flexDirection: "row", alignItems: "flex-end", alignSelf: "flex-end", gap: 4 }}>
      <Label size={12} color={color}>
        {words.join(" · ")}
      </Label>
      {isOwn && status !== "failed" && (
        <View role="img" aria-label={isSending ? texts.sending : isRead ? texts.read : texts.sent}>
          <Icon name={isSending ? "clock" : isRead ? "checks" : "check"} size={15} color={color} />
        </View>
      )}
    </View>
  );
}
