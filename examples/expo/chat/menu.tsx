import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import { KeyboardAvoidingView, Modal, Platform, Pressable, ScrollView, View } from "react-native";
import { useSafeAreaInsets } from "react-native-safe-area-context";
import type { IconName } from "./icon-paths";
import { Icon } from "./icons";
import { useTexts } from "./texts";
import { Label, useColors } from "./theme";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly onSelect: () => void;
}

interface Sheet {
  /** Shows it at the lower edge, in place of what is shown there. */
  readonly open: (content: ReactNode) => void;
  readonly close: () => void;
}

const SheetContext = createContext<Sheet>({ open: () => undefined, close: () => undefined });
export const useSheet = () => useContext(SheetContext);

/** Whether a sheet is on the screen, also while it leaves: until then, it keeps the focus. */
const CoveredContext = createContext(false);
export const useIsCovered = () => useContext(CoveredContext);

/** One sheet for all: iOS cannot show a second one while the first is leaving. */
export function SheetProvider({ children }: { readonly children: ReactNode }) {
  const texts = useTexts();
  const colors = useColors();
  const insets = useSafeAreaInsets();
  const [content, setContent] = useState<ReactNode>();
  const [isOpen, setOpen] = useState(false);
  const sheet = useMemo(
    () => ({
      open: (next: ReactNode) => {
        setContent(next);
        setOpen(true);
      },
      close: () => setOpen(false),
    }),
    [],
  );
  return (
    <SheetContext.Provider value={sheet}>
      {/* Android takes it away at once, and reports nothing. */}
      <CoveredContext.Provider value={Platform.OS === "android" ? isOpen : content !== undefined}>
        {children}
      </CoveredContext.Provider>
      <Modal
        visible={isOpen}
        transparent
        animationType="fade"
        onRequestClose={sheet.close}
        onDismiss={() => setContent(undefined)}
      >
        <KeyboardAvoidingView
          behavior={Platform.OS === "ios" ? "padding" : "height"}
          style={{ flex: 1, justifyContent: "flex-end", backgroundColor: colors.veil }}
        >
          <Pressable aria-label={texts.close} style={{ flex: 1 }} onPress={sheet.close} />
          <View
            style={{
              alignSelf: "center",
              width: "100%",
              maxWidth: 560,
              maxHeight: "85%",
              borderTopLeftRadius: 20,
              borderTopRightRadius: 20,
              backgroundColor: colors.overlay,
              paddingBottom: insets.bottom + 8,
            }}
          >
            <View
              style={{
                alignSelf: "center",
                width: 36,
                height: 5,
                borderRadius: 3,
                marginTop: 8,
                backgroundColor: colors.line,
              }}
            />
            <ScrollView bounces={false} keyboardShouldPersistTaps="handled" style={{ flexGrow: 0 }}>
              {content}
            </ScrollView>
          </View>
        </KeyboardAvoidingView>
      </Modal>
    </SheetContext.Provider>
  );
}

/** What can be done, one line each. */
export function Menu({
  items,
  children,
}: {
  readonly items: readonly MenuItem[];
  readonly children?: ReactNode;
}) {
  const colors = useColors();
  const { close } = useSheet();
  return (
    <View role="menu" style={{ paddingVertical: 8 }}>
      {children}
      {items.map(({ label, icon, isDangerous, onSelect }) => (
        <Pressable
          key={label}
          role="menuitem"
          onPress={() => {
            close();
            onSelect();
          }}
          style={({ pressed }) => ({
            flexDirection: "row",
            alignItems: "center",
            gap: 16,
            minHeight: 52,
            paddingHorizontal: 24,
            backgroundColor: pressed ? colors.quote : undefined,
          })}
        >
          <Icon name={icon} color={isDangerous ? colors.danger : colors.text} />
          <Label size={17} color={isDangerous ? colors.danger : colors.text} style={{ flexShrink: 1 }}>
            {label}
          </Label>
        </Pressable>
      ))}
    </View>
  );
}
