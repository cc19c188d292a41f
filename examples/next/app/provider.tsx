"use client";

import { ChatProvider, type User } from "@madang/react";
import type { ReactNode } from "react";

interface ProviderProps {
  readonly url: string;
  readonly user: User;
  readonly children: ReactNode;
}

/** Asks the route of this application, which knows by its session who is signed in. */
async function getToken() {
  const response = await fetch("/chat-token", { method: "POST" });
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`);
  return response.json();
}

/** It is in the layout, so that a navigation keeps the connection. */
export const Provider = ({ url, user, children }: ProviderProps) => (
  <ChatProvider url={url} user={user} token={getToken}>
    {children}
  </ChatProvider>
);
