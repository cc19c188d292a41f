import type { Participant } from "@madang/react";
import { Linking } from "react-native";
import { splitText } from "./text-parts";
import { Label } from "./theme";

interface RichTextProps {
  readonly text: string;
  readonly members: readonly Participant[];
  readonly mentions: readonly string[] | undefined;
  readonly color: string;
  readonly accent: string;
  readonly size: number;
}

/** A text with its links and mentions. Everything else in it is shown as it is. */
export function RichText({ text, members, mentions = [], color, accent, size }: RichTextProps) {
  const names = members.filter(({ user_id }) => mentions.includes(user_id)).map(({ name }) => name);
  let start = 0;
  return (
    <Label size={size} color={color} style={{ lineHeight: Math.round(size * 1.32) }}>
      {splitText(text, names).map((part) => {
        const key = start;
        start += part.text.length;
        if (part.kind === "words") return part.text;
        if (part.kind === "mention")
          return (
            <Label key={key} size={size} color={accent} isBold>
              {part.text}
            </Label>
          );
        return (
          <Label
            key={key}
            role="link"
            size={size}
            color={accent}
            style={{ textDecorationLine: "underline" }}
            onPress={() => void Linking.openURL(part.text)}
          >
            {part.text}
          </Label>
        );
      })}
    </Label>
  );
}
