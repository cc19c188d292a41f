import type { ShownMessage } from "@madang/react";
import { Pressable, View } from "react-native";
import type { MessageActions } from "./conversation";
import { useReportQuestion } from "./conversation-menu";
import { senderOf } from "./format";
import { Menu, useSheet } from "./menu";
import { quickReactions, useMessageItems } from "./message-items";
import { useReport } from "./notices";
import { Label, touch, useColors } from "./theme";

/** Opens what a person can do with a message. */
export function useMessageMenu(shown: ShownMessage, actions: MessageActions): () => void {
  const sheet = useSheet();
  return () => sheet.open(<MessageMenu shown={shown} actions={actions} />);
}

function MessageMenu({ shown, actions }: { readonly shown: ShownMessage; readonly actions: MessageActions }) {
  const colors = useColors();
  const sheet = useSheet();
  const report = useReport();
  const openReport = useReportQuestion();
  const { message } = shown;
  const { channel_id, message_id } = message;
  const sender = senderOf(message);
  const onReport = () =>
    openReport({ channel_id, message_id, ...(sender && { reported_user_id: sender.user_id }) });
  const items = useMessageItems(shown, actions, { onReport });
  const ownReactions = message.reactions?.filter(({ own }) => own).map(({ reaction }) => reaction) ?? [];
  return (
    <Menu items={items}>
      <View
        style={{
          flexDirection: "row",
          justifyContent: "space-between",
          paddingHorizontal: 20,
          paddingVertical: 8,
        }}
      >
        {quickReactions.map((reaction) => (
          <Pressable
            key={reaction}
            role="button"
            aria-label={reaction}
            onPress={() => {
              sheet.close();
              actions.react(shown, reaction).catch(report);
            }}
            style={{
              width: touch,
              height: touch,
              borderRadius: touch / 2,
              alignItems: "center",
              justifyContent: "center",
              backgroundColor: ownReactions.includes(reaction) ? colors.accentSoft : undefined,
            }}
          >
            <Label size={28} maxFontSizeMultiplier={1.2}>
              {reaction}
            </Label>
          </Pressable>
        ))}
      </View>
    </Menu>
  );
}
