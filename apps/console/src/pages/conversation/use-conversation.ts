import { useEffect, useState, useSyncExternalStore } from "react";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { ConversationWindow, isFeedLost } from "./conversation-window";

/** The history of a channel around a message, or its newest messages, while the page shows it. */
export function useConversation(channelId: string, around: string | undefined, isReady: boolean) {
  const [window, setWindow] = useState(() => new ConversationWindow(chat, channelId));
  const state = useSyncExternalStore(window.subscribe, window.getState);

  // What happens while the first page is fetched is followed from here on.
  useEffect(() => {
    const followed = new ConversationWindow(chat, channelId);
    setWindow(followed);
    void follow(followed);
    return () => followed.close();

    async function follow(conversation: ConversationWindow): Promise<void> {
      try {
        const { next } = await chat.events.list({ after: "latest" });
        await conversation.loadNewer();
        await conversation.follow(next, () => queryClient.invalidateQueries({ queryKey: ["channels"] }));
      } catch (error) {
        if (!isFeedLost(error)) return;
        await conversation.open();
        await follow(conversation);
      }
    }
  }, [channelId]);

  useEffect(() => {
    if (isReady) void window.open(around);
  }, [window, around, isReady]);

  return { window, state };
}
