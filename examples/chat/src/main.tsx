import { ChatProvider } from "@madang/react";
import { StrictMode, useCallback, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat/chat";
import type { Place } from "./chat/conversation";
import "./main.css";

/** Asks the server of the application, which knows who is signed in. */
async function getToken() {
  const response = await fetch(`/chat-token${location.search}`, { method: "POST" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  return response.json();
}

/** What is open is in the address: the back button closes it, and a notification opens it. */
const readPlace = () => (location.hash === "" ? undefined : { channelId: location.hash.slice(1) });

function App() {
  const [place, setPlace] = useState<Place | undefined>(readPlace);
  useEffect(() => {
    const read = () =>
      setPlace((current) => (readPlace()?.channelId === current?.channelId ? current : readPlace()));
    addEventListener("popstate", read);
    return () => removeEventListener("popstate", read);
  }, []);
  const open = useCallback((next: Place | undefined) => {
    history.pushState(null, "", next ? `#${next.channelId}` : location.pathname + location.search);
    setPlace(next);
  }, []);
  return (
    <main>
      <Chat place={place} onOpen={open} serviceWorker="/service-worker.js" />
    </main>
  );
}

createRoot(document.querySelector("#root") ?? document.body).render(
  <StrictMode>
    <ChatProvider url={import.meta.env.MADANG_URL} token={getToken}>
      <App />
    </ChatProvider>
  </StrictMode>,
);
