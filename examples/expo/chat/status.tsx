import type { ReactNode } from "react";
import { Pressable, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import { Icon } from "./icons";
import { NoticeContext, useConnectionNote, useNoticeText } from "./notices";
import { useTexts } from "./texts";
import { Label, touch, useColors } from "./theme";

/** Shows notices for some seconds, where they do not cover the newest messages. */
export function NoticeProvider({ children }: { readonly children: ReactNode }) {
  const colors = useColors();
  const { top } = useSafeAreaInsets();
  const [notice, setNotice] = useNoticeText();
  const place = {
    position: "absolute",
    top: top + 68,
    start: 16,
    end: 16,
    alignItems: "center",
  } as const;
  return (
    <NoticeContext.Provider value={setNotice}>
      {children}
      {notice !== "" && (
        <View role="alert" style={[place, { pointerEvents: "none" }]}>
          <View
            style={{
              borderRadius: 14,
              paddingHorizontal: 16,
              paddingVertical: 10,
              backgroundColor: colors.text,
            }}
          >
            <Label size={15} color={colors.background}>
              {notice}
            </Label>
          </View>
        </View>
      )}
    </NoticeContext.Provider>
  );
}

/** A word that can be pressed. */
export function Link({ text, color, onPress }: { text: string; color?: string; onPress: () => void }) {
  const colors = useColors();
  return (
    <Pressable
      role="button"
      onPress={onPress}
      style={{ minHeight: touch, minWidth: touch, justifyContent: "center", paddingHorizontal: 8 }}
    >
      <Label size={15} isBold color={color ?? colors.accentText}>
        {text}
      </Label>
    </Pressable>
  );
}

/** Stands where there is nothing to show, and says why. */
export function Nothing({ title, hint, retry }: { title: string; hint?: string; retry?: () => void }) {
  const texts = useTexts();
  const colors = useColors();
  return (
    <View
      style={{ flex: 1, minHeight: 240, alignItems: "center", justifyContent: "center", padding: 32, gap: 8 }}
    >
      <Icon name={retry ? "warning" : "chat"} size={32} color={colors.quiet} />
      <Label isBold style={{ textAlign: "center" }}>
        {title}
      </Label>
      {hint && (
        <Label size={15} color={colors.quiet} style={{ textAlign: "center" }}>
          {hint}
        </Label>
      )}
      {retry && <Link text={texts.tryAgain} onPress={retry} />}
    </View>
  );
}

/** A strip across the screen. */
export function Bar({ text, retry }: { readonly text: string; readonly retry?: (() => void) | undefined }) {
  const texts = useTexts();
  const colors = useColors();
  return (
    <View
      role="status"
      style={{
        flexDirection: "row",
        alignItems: "center",
        justifyContent: "center",
        minHeight: 36,
        paddingHorizontal: 16,
        backgroundColor: colors.accentSoft,
      }}
    >
      <Label size={13} color={colors.accentText} style={{ flexShrink: 1, textAlign: "center" }}>
        {text}
      </Label>
      {retry && <Link text={texts.tryAgain} onPress={retry} />}
    </View>
  );
}

/** What a person should know of the connection. */
export function ConnectionBar() {
  const note = useConnectionNote();
  return note ? <Bar text={note.text} retry={note.retry} /> : null;
}
