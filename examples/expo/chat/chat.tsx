import { type ReactNode, useCallback, useEffect, useMemo } from "react";
import { BackHandler, useWindowDimensions, View } from "react-native";
import { Conversation, type Place } from "./conversation";
import { Inbox } from "./inbox";
import { SheetProvider } from "./menu";
import { Nothing, NoticeProvider } from "./status";
import { chooseTexts, TextsContext } from "./texts";
import { useColors } from "./theme";

interface ChatProps {
  /** What is open. Undefined: the inbox alone. */
  readonly place: Place | undefined;
  readonly onOpen: (place: Place | undefined) => void;
  readonly language: string;
  /** Stands at the top of the inbox. */
  readonly action?: ReactNode;
}

/** A whole chat: on a phone one screen over the other, on a tablet side by side. It needs a `<ChatProvider>` around it. */
export function Chat({ place, onOpen, language, action }: ChatProps) {
  const texts = useMemo(() => chooseTexts([language]), [language]);
  const colors = useColors();
  const isWide = useWindowDimensions().width >= 720;
  const leave = useCallback(() => onOpen(undefined), [onOpen]);
  const isOpen = place !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const listening = BackHandler.addEventListener("hardwareBackPress", () => {
      leave();
      return true;
    });
    return () => listening.remove();
  }, [isOpen, leave]);
  const over = { position: "absolute", top: 0, bottom: 0, start: 0, end: 0 } as const;
  return (
    <TextsContext.Provider value={texts}>
      <NoticeProvider>
        <SheetProvider>
          <View style={{ flex: 1, flexDirection: "row", backgroundColor: colors.background }}>
            {/* It stays below the conversation, where it was scrolled to. */}
            <View aria-hidden={isOpen && !isWide} style={isWide ? { width: 360 } : { flex: 1 }}>
              <Inbox openId={place?.channelId} onOpen={onOpen} action={action} />
            </View>
            {place ? (
              <View style={isWide ? { flex: 1 } : over}>
                <Conversation key={place.channelId} {...place} onLeave={leave} hasBack={!isWide} />
              </View>
            ) : (
              isWide && (
                <View style={{ flex: 1, backgroundColor: colors.stage }}>
                  <Nothing title={texts.choose} hint={texts.chooseHint} />
                </View>
              )
            )}
          </View>
        </SheetProvider>
      </NoticeProvider>
    </TextsContext.Provider>
  );
}
