import { View } from "react-native";
import { formatCount } from "./format";
import { Round } from "./icons";
import { Count } from "./inbox-line";
import { useTexts } from "./texts";
import { useColors } from "./theme";

/** The button back to the newest messages, with how many are unread. */
export function ToNewest({ unread, onPress }: { readonly unread: number; readonly onPress: () => void }) {
  const texts = useTexts();
  const colors = useColors();
  return (
    <View style={{ position: "absolute", end: 12, bottom: 12, alignItems: "center" }}>
      {unread > 0 && (
        <View style={{ marginBottom: -10, zIndex: 1, pointerEvents: "none" }}>
          <Count text={formatCount(unread)} fill={colors.accent} color={colors.onAccent} />
        </View>
      )}
      <Round icon="down" label={texts.toNewest} fill={colors.overlay} onPress={onPress} />
    </View>
  );
}
