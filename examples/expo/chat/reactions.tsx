import type { ShownMessage } from "@madang/react";
import { Pressable, View } from "react-native";
import type { MessageActions } from "./conversation";
import { useReport } from "./notices";
import { Label, touch, useColors } from "./theme";

/** The reactions to a message, with how many people have each. */
export function Reactions({
  shown,
  actions,
}: {
  readonly shown: ShownMessage;
  readonly actions: MessageActions;
}) {
  const colors = useColors();
  const report = useReport();
  return (
    <View style={{ flexDirection: "row", flexWrap: "wrap", gap: 4 }}>
      {shown.message.reactions?.map(({ reaction, count, own }) => (
        <Pressable
          key={reaction}
          role="button"
          aria-label={[reaction, count].join(" ")}
          aria-selected={own === true}
          onPress={() => actions.react(shown, reaction).catch(report)}
          style={{ minWidth: touch, minHeight: touch, justifyContent: "center", alignItems: "center" }}
        >
          <Label
            size={14}
            isBold={own === true}
            color={own ? colors.accentText : colors.text}
            style={{
              paddingHorizontal: 10,
              paddingVertical: 5,
              borderRadius: 15,
              overflow: "hidden",
              backgroundColor: own ? colors.accentSoft : colors.bubble,
            }}
          >
            {[reaction, count].join(" ")}
          </Label>
        </Pressable>
      ))}
    </View>
  );
}
