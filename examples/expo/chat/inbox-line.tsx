import { type InboxLine as Line, type UserChannel, useMe } from "@madang/react";
import { Pressable, View } from "react-native";
import { ChannelAvatar } from "./avatar";
import type { Place } from "./conversation";
import { formatCount, formatShort, partnerOf, senderOf, titleOf } from "./format";
import { Icon } from "./icons";
import { Menu, useSheet } from "./menu";
import { isMuted, useChannelItems } from "./menu-items";
import { usePreview } from "./preview";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";

interface InboxLineProps {
  readonly channel: Line;
  readonly isOpen: boolean;
  readonly isOnline: boolean;
  readonly onOpen: (place: Place) => void;
}

/** A conversation in the inbox. Held down, it shows what can be done with it. */
export function InboxLine({ channel, isOpen, isOnline, onOpen }: InboxLineProps) {
  const texts = useTexts();
  const colors = useColors();
  const sheet = useSheet();
  const myId = useMe()?.user_id;
  const items = useChannelItems(channel);
  const {
    channel_id: channelId,
    unread_count: unread,
    mention_count: mentions,
    last_message: last,
  } = channel;
  const title = titleOf(channel, myId);
  const isQuiet = isMuted(channel);
  const isPinned = channel.preferences?.pinned_at !== undefined;
  const showMenu = () => sheet.open(<Menu items={items} />);
  return (
    <Pressable
      role="button"
      aria-selected={isOpen}
      onPress={() => onOpen({ channelId })}
      onLongPress={showMenu}
      accessibilityActions={[{ name: "longpress", label: texts.optionsOf(title) }]}
      onAccessibilityAction={showMenu}
      style={({ pressed }) => ({
        flexDirection: "row",
        alignItems: "center",
        gap: 12,
        minHeight: 76,
        paddingHorizontal: 16,
        paddingVertical: 10,
        backgroundColor: isOpen ? colors.accentSoft : pressed ? colors.stage : undefined,
      })}
    >
      <ChannelAvatar channel={channel} myId={myId} isOnline={isOnline} />
      <View style={{ flex: 1, gap: 3 }}>
        <View style={{ flexDirection: "row", alignItems: "center", gap: 6 }}>
          <Label size={16} isBold numberOfLines={1} style={{ flexShrink: 1 }}>
            {title}
          </Label>
          {isQuiet && <Icon name="mute" size={16} color={colors.quiet} />}
          <View style={{ flex: 1 }} />
          {last && (
            <Label size={13} color={unread > 0 && !isQuiet ? colors.accentText : colors.quiet}>
              {formatShort(texts, last.created_at)}
            </Label>
          )}
        </View>
        <View style={{ flexDirection: "row", alignItems: "center", gap: 6 }}>
          <Label size={15} color={colors.quiet} numberOfLines={1} style={{ flex: 1 }}>
            <LastMessage channel={channel} myId={myId} />
          </Label>
          {mentions > 0 && <Count text="@" fill={colors.accent} color={colors.onAccent} />}
          {unread > 0 && (
            <Count
              text={formatCount(unread)}
              label={texts.unreadCount(formatCount(unread))}
              fill={isQuiet ? colors.line : colors.accent}
              color={isQuiet ? colors.text : colors.onAccent}
            />
          )}
          {isPinned && unread === 0 && <Icon name="pin" size={16} color={colors.quiet} />}
        </View>
      </View>
    </Pressable>
  );
}

interface CountProps {
  readonly text: string;
  readonly label?: string;
  readonly fill: string;
  readonly color: string;
}

export const Count = ({ text, label, fill, color }: CountProps) => (
  <View
    style={{
      minWidth: 22,
      minHeight: 22,
      paddingHorizontal: 6,
      borderRadius: 11,
      alignItems: "center",
      justifyContent: "center",
      backgroundColor: fill,
    }}
  >
    <Label size={13} isBold color={color} aria-label={label} maxFontSizeMultiplier={1.6}>
      {text}
    </Label>
  </View>
);

function LastMessage({ channel, myId }: { channel: UserChannel; myId: string | undefined }) {
  const texts = useTexts();
  const preview = usePreview();
  const { last_message: last } = channel;
  if (last === undefined) return texts.noMessages;
  const sender = senderOf(last);
  const isDirect = partnerOf(channel, myId) !== undefined;
  const name = sender?.user_id === myId ? `${texts.you} ` : isDirect || !sender ? "" : `${sender.name}: `;
  return `${name}${preview(last)}`;
}
