import type { ChatEvent, EventType } from "@madang/client";
import type { Session } from "../session";

/** Which events to follow. */
export interface FollowOptions {
  readonly after?: string;
  readonly types?: string;
  readonly channel?: string;
}

/** An event, if there is one, and the cursor that continues after it. */
export interface Followed {
  readonly event?: ChatEvent;
  readonly cursor: string;
}

/** The cursor of the beginning, then events as they happen, from now on or after a cursor, until Ctrl-C. */
export async function* followEvents(
  { io: { signal }, connectPatiently }: Session,
  { after, types, channel: channelId }: FollowOptions,
): AsyncGenerator<Followed> {
  const chat = await connectPatiently();
  const begin = after ?? (await chat.events.list({ after: "latest" }, { signal })).next;
  yield { cursor: begin };
  // The server checks the names.
  const names = types?.split(",") as EventType[] | undefined;
  const events = chat.events.listen({ after: begin, types: names, channelId, signal });
  for await (const { cursor, ...event } of events) yield { event, cursor };
}
