import { useStore } from "@madang/react";
import { type Around, Feed, type FeedEvent, History } from "@madang/react/store";
import { useEffect, useState } from "react";
import { chat } from "../../api/chat";
import { queryClient } from "../../api/query-client";

/** The history of a channel around a message or a time, or its newest messages, while the page shows it. Another channel is another page. */
export function useChannelHistory(channelId: string, around: Around | undefined) {
  const [{ feed, history }] = useState(() => {
    const feed = new Feed(chat, { channel_id: channelId });
    return { feed, history: new History(chat, channelId, feed) };
  });
  const state = useStore(history.state);
  const { error: followError } = useStore(feed.connection);
  const [run, setRun] = useState(0);

  // After a failure, it runs again when the reader asks for it.
  useEffect(() => {
    const controller = new AbortController();
    const leave = feed.subscribe({ onEvent: refreshChannel });
    void feed.run(controller.signal);
    return () => {
      controller.abort();
      leave();
    };
  }, [feed, run]);
  useEffect(() => history.connect(around), [history, around]);

  return { history, state, followError, follow: () => setRun(run + 1) };
}

/** Messages are in the history. */
function refreshChannel({ type }: FeedEvent): void {
  if (/^(channel|member|manager)\./.test(type))
    void queryClient.invalidateQueries({ queryKey: ["channels"] });
}
