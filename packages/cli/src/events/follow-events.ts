import { setTimeout as wait } from "node:timers/promises";
import { type ChatClient, type EventPage, isChatError } from "@madang/client";
import type { Session } from "../session";

/** Which events to follow. */
export interface FollowOptions {
  readonly after?: string;
  readonly types?: string;
  readonly channel?: string;
}

const waitSeconds = 20;
const maxDelayMs = 10_000;

/**
 * Pages of events from now on, or after a cursor, until Ctrl-C. Each page has the cursor that continues after it. While the
 * server cannot be reached, it is tried again and again.
 */
export async function* followEvents(
  { io, output }: Pick<Session, "io" | "output">,
  chat: ChatClient,
  { after = "latest", types, channel }: FollowOptions,
): AsyncGenerator<EventPage> {
  let cursor = after;
  let failures = 0;
  while (true) {
    // The first request finds where to begin, before anything is waited for.
    const query = { after: cursor, types, channel_id: channel, wait: cursor === "latest" ? 0 : waitSeconds };
    let page: EventPage;
    try {
      page = await chat.events.list(query, { signal: io.signal, maxRetries: 0 });
    } catch (error) {
      if (!isChatError(error) || !isTemporary(error)) throw error;
      if (failures++ === 0) output.note(`${error.detail ?? error.message} Trying until it works.`);
      await wait(Math.min(maxDelayMs, 500 * 2 ** failures), undefined, { signal: io.signal });
      continue;
    }
    if (failures > 0) output.note("Connected again.");
    failures = 0;
    yield page;
    cursor = page.next;
  }
}

function isTemporary({ kind, retryable }: { readonly kind: string; readonly retryable: boolean }): boolean {
  return retryable || kind === "connection" || kind === "timeout";
}
