import { ChatProvider } from "@madang/react";
import { StatusBar } from "expo-status-bar";
import { useEffect, useState } from "react";
import { SafeAreaProvider } from "react-native-safe-area-context";
import { Chat } from "./chat/chat";
import type { Place } from "./chat/conversation";
import { language, madangUrl, serverUrl } from "./settings";
import { SignIn, SignOut } from "./sign-in";
import { readUserId, storage, writeUserId } from "./storage";

/** Asks the server of this application, which knows who is signed in. */
async function getToken(userId: string) {
  const response = await fetch(`${serverUrl}/chat-token?user=${userId}`, { method: "POST" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  return response.json();
}

export function App() {
  // Undefined until the phone has read it.
  const [userId, setUserId] = useState<string | null>();
  const [place, setPlace] = useState<Place>();
  useEffect(() => void readUserId().then(setUserId), []);
  const change = (next: string | null) => {
    setPlace(undefined);
    setUserId(next);
    void writeUserId(next);
  };
  return (
    <SafeAreaProvider>
      <StatusBar style="auto" />
      {userId === null && <SignIn onDone={change} />}
      {userId && (
        // Another user needs another key: nothing of the one before stays.
        <ChatProvider
          key={userId}
          url={madangUrl}
          token={() => getToken(userId)}
          userId={userId}
          storage={storage}
        >
          <Chat
            place={place}
            onOpen={setPlace}
            language={language}
            action={<SignOut onDone={() => change(null)} />}
          />
        </ChatProvider>
      )}
    </SafeAreaProvider>
  );
}
