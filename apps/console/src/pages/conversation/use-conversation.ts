import { useEffect, useState } from "react";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";
import { useStore } from "../../api/store";
import { ConversationWindow } from "./conversation-window";

/** The history of a channel around a message, or its newest messages, while the page shows it. Another channel is another page. */
export function useConversation(channelId: string, around: string | undefined, isReady: boolean) {
  const [window] = useState(() => new ConversationWindow(chat, channelId));
  const state = useStore(window.state);

  // What happens while the first page is fetched is followed from here on.
  useEffect(() => {
    void window.follow(refreshChannel);
    return () => window.close();
  }, [window]);

  useEffect(() => {
    if (isReady) void window.open(around);
  }, [window, around, isReady]);

  function reopen() {
    void window.open(around);
    void window.follow(refreshChannel);
  }

  return { window, state, reopen };
}

const refreshChannel = () => void queryClient.invalidateQueries({ queryKey: ["channels"] });
