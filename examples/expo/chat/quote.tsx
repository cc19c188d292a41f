import type { Message } from "@madang/react";
import { Pressable } from "react-native";
import { hueOf, previewOf, senderOf } from "./format";
import { useTexts } from "./texts";
import { Label, nameColor, touch, useColors } from "./theme";

interface QuoteProps {
  readonly quote: Message | "deleted" | undefined;
  readonly isOwn: boolean;
  readonly onJump: () => void;
}

/** What a message replies to. Pressed, it shows where that stands. */
export function Quote({ quote, isOwn, onJump }: QuoteProps) {
  const texts = useTexts();
  const colors = useColors();
  const message = typeof quote === "object" ? quote : undefined;
  const sender = message && senderOf(message);
  const hue = isOwn || sender === undefined ? undefined : nameColor(colors, hueOf(sender.user_id));
  const text = message
    ? previewOf(message, texts)
    : quote === "deleted"
      ? texts.deletedQuote
      : texts.blockedMessage;
  return (
    <Pressable
      role="button"
      disabled={message === undefined}
      onPress={onJump}
      style={{
        minHeight: touch,
        justifyContent: "center",
        marginBottom: 6,
        marginTop: 2,
        paddingHorizontal: 10,
        paddingVertical: 4,
        borderRadius: 8,
        borderStartWidth: 3,
        borderStartColor: hue ?? (isOwn ? colors.onAccent : colors.quiet),
        backgroundColor: isOwn ? colors.onAccentQuote : colors.quote,
      }}
    >
      {sender && (
        <Label size={13} isBold numberOfLines={1} color={hue ?? colors.onAccent}>
          {sender.name}
        </Label>
      )}
      <Label size={13} numberOfLines={1} color={isOwn ? colors.onAccentQuiet : colors.quiet}>
        {text}
      </Label>
    </Pressable>
  );
}
