import type { ChatEvent, LiveEvent } from "@madang/contract";
import { masterKey } from "./server";

/** An event of a stream, when it arrived, and the id of the feed's cursor after it. A live one has none. */
export interface StreamedEvent {
  readonly id: string | undefined;
  readonly at: number;
  readonly event: ChatEvent | LiveEvent;
}

export interface LiveStream {
  readonly events: StreamedEvent[];
  /** Resolves when the stream has ended, whatever the reason. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a stream of events. `onEvent` is called with each event as it arrives. */
export async function openLiveStream(
  url: string,
  query = "live=true&after=latest",
  onEvent: (event: StreamedEvent) => void = () => undefined,
  key = masterKey,
): Promise<LiveStream> {
  const closed = new AbortController();
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/v1/events/stream?${query}`, { headers, signal: closed.signal });
  if (response.status !== 200 || response.body === null)
    throw new Error(`The stream got ${response.status}: ${await response.text()}`);
  const events: StreamedEvent[] = [];
  const read = async (chunks: AsyncIterable<string>) => {
    let text = "";
    for await (const chunk of chunks) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data === undefined) continue;
        const streamed = {
          id: /^id: (.*)$/m.exec(block)?.[1],
          at: performance.now(),
          event: JSON.parse(data),
        };
        events.push(streamed);
        onEvent(streamed);
      }
    }
  };
  const ended = read(response.body.pipeThrough(new TextDecoderStream())).catch(() => undefined);
  return { events, ended, close: () => closed.abort() };
}
