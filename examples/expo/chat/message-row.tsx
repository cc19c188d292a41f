import type { Participant, ShownMessage } from "@madang/react";
import { memo, useState } from "react";
import { Pressable, View } from "react-native";
import { Avatar, faceOf } from "./avatar";
import { Bubble } from "./bubble";
import type { MessageActions } from "./conversation";
import { reasonOf, senderOf } from "./format";
import { useMessageMenu } from "./message-menu";
import { Reactions } from "./reactions";
import { Link } from "./status";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";

interface MessageRowProps {
  readonly shown: ShownMessage;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Whether names and faces are shown. */
  readonly isGroup: boolean;
  readonly isRead: boolean;
  readonly isFlashed: boolean;
  /** Of the first message of a day. */
  readonly day: string | undefined;
  readonly unreadLine: string | undefined;
  readonly readers: string;
  readonly members: readonly Participant[];
  readonly actions: MessageActions;
  readonly onJump: (messageId: string) => void;
}

/** A message. Held down, it shows what can be done with it. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { shown, isFirst, isLast, isGroup, isFlashed, day, unreadLine, readers, actions } = props;
  const { status, message, isOwn, isBlocked, isDeleted, error } = shown;
  const texts = useTexts();
  const colors = useColors();
  const openMenu = useMessageMenu(shown, actions);
  const [isUnfolded, setUnfolded] = useState(false);
  const sender = senderOf(message);
  const isFolded = isBlocked && !isUnfolded;
  const isUsable = status === "sent" && !isDeleted && !isFolded && sender !== undefined;
  return (
    <View role="listitem">
      {day !== undefined && (
        <Label size={13} isBold color={colors.quiet} style={{ textAlign: "center", paddingVertical: 12 }}>
          {day}
        </Label>
      )}
      {unreadLine !== undefined && (
        <View style={{ marginVertical: 8, padding: 5, borderRadius: 12, backgroundColor: colors.accentSoft }}>
          <Label size={13} isBold color={colors.accentText} style={{ textAlign: "center" }}>
            {unreadLine}
          </Label>
        </View>
      )}
      <View
        style={{
          flexDirection: "row",
          alignItems: "flex-end",
          gap: 8,
          paddingTop: isFirst ? 8 : 2,
          justifyContent: sender === undefined ? "center" : isOwn ? "flex-end" : "flex-start",
          borderRadius: 18,
          backgroundColor: isFlashed ? colors.accentSoft : undefined,
        }}
      >
        {isGroup && !isOwn && sender && (
          <View style={{ width: 32 }}>{isLast && <Avatar {...faceOf(sender)} size={32} />}</View>
        )}
        <View style={{ maxWidth: "80%", alignItems: isOwn ? "flex-end" : "flex-start" }}>
          {isFolded ? (
            <View style={{ flexDirection: "row", alignItems: "center", flexWrap: "wrap" }}>
              <Label size={14} color={colors.quiet}>
                {texts.blockedMessage}
              </Label>
              <Link text={texts.show} onPress={() => setUnfolded(true)} />
            </View>
          ) : (
            <Pressable
              disabled={!isUsable}
              onLongPress={openMenu}
              delayLongPress={300}
              accessibilityActions={[{ name: "longpress", label: texts.options }]}
              onAccessibilityAction={openMenu}
            >
              <Bubble {...props} name={isGroup && !isOwn && isFirst ? sender : undefined} />
            </Pressable>
          )}
          {isUsable && message.reactions && <Reactions shown={shown} actions={actions} />}
          {status === "failed" && (
            <View
              role="alert"
              style={{
                flexDirection: "row",
                alignItems: "center",
                flexWrap: "wrap",
                justifyContent: "flex-end",
              }}
            >
              <Label size={13} color={colors.danger} style={{ flexShrink: 1 }}>
                {reasonOf(error, texts)}
              </Label>
              {error?.canRetry && <Link text={texts.retry} onPress={() => actions.retry(shown)} />}
              <Link text={texts.discard} color={colors.danger} onPress={() => actions.discard(shown)} />
            </View>
          )}
          {readers !== "" && (
            <Label size={12} color={colors.quiet} style={{ padding: 4 }}>
              {texts.readBy(readers)}
            </Label>
          )}
        </View>
      </View>
    </View>
  );
});
