import type { ReceivedEvent } from "@madang/client";
import { useEffect, useRef, useState } from "react";
import { chat } from "../../api/chat";

/** Older events are dropped. */
const maxEvents = 2_000;
/** However many events come, the page is drawn this often. */
const drawMs = 200;

/** The events from now on, newest first. While it is paused, they wait. After an error, none come until `retry`. */
export function useEvents(isEnabled: boolean) {
  const [events, setEvents] = useState<readonly ReceivedEvent[]>([]);
  const [waiting, setWaiting] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [error, setError] = useState<unknown>();
  const buffer = useRef<ReceivedEvent[]>([]);

  useEffect(() => {
    if (!isEnabled || error !== undefined) return;
    const controller = new AbortController();
    void (async () => {
      for await (const event of chat.events.listen({ after: "latest", signal: controller.signal }))
        buffer.current = [event, ...buffer.current].slice(0, maxEvents);
    })().catch(setError);
    return () => controller.abort();
  }, [isEnabled, error]);

  useEffect(() => {
    const timer = setInterval(() => {
      if (isPaused) return setWaiting(buffer.current.length);
      if (buffer.current.length === 0) return;
      const added = buffer.current.splice(0);
      setEvents((previous) => [...added, ...previous].slice(0, maxEvents));
      setWaiting(0);
    }, drawMs);
    return () => clearInterval(timer);
  }, [isPaused]);

  return { events, waiting, isPaused, setPaused, error, retry: () => setError(undefined) };
}
