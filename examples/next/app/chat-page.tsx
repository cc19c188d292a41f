"use client";

import { usePathname } from "next/navigation";
import { useCallback, useState } from "react";
import { Chat } from "@/chat/chat";
import type { Initial, Place } from "@/chat/conversation";

interface ChatPageProps {
  readonly initial: Initial;
  readonly languages: readonly string[];
}

/** What is open is in the address. */
export function ChatPage({ initial, languages }: ChatPageProps) {
  const channelId = usePathname().slice(1);
  const [last, setLast] = useState<Place>();
  const open = useCallback((next: Place | undefined) => {
    setLast(next);
    // Next.js follows the address. Without it, each conversation would wait for the server.
    history.pushState(null, "", `/${next?.channelId ?? ""}`);
  }, []);
  const place = last?.channelId === channelId ? last : { channelId };
  return (
    <Chat
      place={channelId === "" ? undefined : place}
      onOpen={open}
      initial={initial}
      languages={languages}
    />
  );
}
