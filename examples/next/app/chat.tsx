"use client";

import { ChatProvider } from "@madang/react";
import type { ReactNode } from "react";

/** Asks the route of this application, which knows by its session who is signed in. */
async function getToken() {
  const response = await fetch("/chat-token", { method: "POST" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  return response.json();
}

/** It is in the layout, so that a navigation keeps the connection. */
export const Chat = ({ url, children }: { readonly url: string; readonly children: ReactNode }) => (
  <ChatProvider url={url} token={getToken}>
    {children}
  </ChatProvider>
);
