import { useState } from "react";
import { Pressable, TextInput, View } from "react-native";
import { useSheet } from "./menu";
import { useTexts } from "./texts";
import { Label, touch, useColors } from "./theme";

interface QuestionProps {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly hasText?: boolean;
  readonly onDone: (text: string) => void;
}

/** A question, with a text if one is needed. */
export function Question({ title, hint, action, hasText = false, onDone }: QuestionProps) {
  const texts = useTexts();
  const colors = useColors();
  const { close } = useSheet();
  const [text, setText] = useState("");
  const isReady = !hasText || text.trim() !== "";
  const button = {
    flex: 1,
    minHeight: touch + 4,
    borderRadius: 14,
    alignItems: "center",
    justifyContent: "center",
  } as const;
  return (
    <View style={{ padding: 24, gap: 12 }}>
      <Label size={19} isBold>
        {title}
      </Label>
      <Label size={15} color={colors.quiet}>
        {hint}
      </Label>
      {hasText && (
        <TextInput
          autoFocus
          multiline
          maxLength={500}
          aria-label={title}
          value={text}
          onChangeText={setText}
          style={{
            minHeight: 96,
            padding: 12,
            fontSize: 16,
            borderRadius: 14,
            color: colors.text,
            backgroundColor: colors.quote,
            textAlignVertical: "top",
          }}
        />
      )}
      <View style={{ flexDirection: "row", gap: 12 }}>
        <Pressable role="button" onPress={close} style={[button, { backgroundColor: colors.quote }]}>
          <Label isBold>{texts.cancel}</Label>
        </Pressable>
        <Pressable
          role="button"
          disabled={!isReady}
          onPress={() => {
            close();
            onDone(text.trim());
          }}
          style={[button, { backgroundColor: colors.danger, opacity: isReady ? 1 : 0.5 }]}
        >
          <Label isBold color={colors.background}>
            {action}
          </Label>
        </Pressable>
      </View>
    </View>
  );
}
