import { useChatStore } from "@madang/react";
import { Pressable, View } from "react-native";
import { Avatar } from "./chat/avatar";
import { Round } from "./chat/icons";
import { Label, useColors } from "./chat/theme";
import { people } from "./server/people";
import { language } from "./settings";

const texts = language.startsWith("ko")
  ? { question: "누구신가요?", signOut: "로그아웃" }
  : { question: "Who are you?", signOut: "Sign out" };

/** Believes who the person says to be. Yours asks for a password. */
export function SignIn({ onDone }: { readonly onDone: (userId: string) => void }) {
  const colors = useColors();
  return (
    <View
      style={{ flex: 1, justifyContent: "center", gap: 12, padding: 24, backgroundColor: colors.background }}
    >
      <Label role="heading" size={24} isBold style={{ textAlign: "center", marginBottom: 12 }}>
        {texts.question}
      </Label>
      {Object.entries(people).map(([id, name]) => (
        <Pressable
          key={id}
          role="button"
          onPress={() => onDone(id)}
          style={{
            flexDirection: "row",
            alignItems: "center",
            alignSelf: "center",
            gap: 14,
            width: "100%",
            maxWidth: 400,
            minHeight: 64,
            paddingHorizontal: 16,
            borderRadius: 18,
            backgroundColor: colors.stage,
          }}
        >
          <Avatar id={id} name={name} size={40} />
          <Label size={17} isBold>
            {name}
          </Label>
        </Pressable>
      ))}
    </View>
  );
}

/** Nothing of what was shown stays on the phone. */
export function SignOut({ onDone }: { readonly onDone: () => void }) {
  const store = useChatStore();
  return <Round icon="leave" label={texts.signOut} onPress={() => void store.clear().finally(onDone)} />;
}
