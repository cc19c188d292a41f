import { type ChatEvent, type EventType, isChatError } from "@madang/client";
import type { Command } from "commander";
import type { Session } from "../../session";
import { UsageError } from "../../terminal/exit-codes";

/** Which events to follow. */
export interface FollowOptions {
  readonly after?: string;
  readonly types?: string;
  readonly channel?: string;
}

/** The options of commands that follow events. */
export function addFollowOptions(command: Command): Command {
  return command
    .option("--types <names>", "only these types, separated by commas")
    .option("--channel <channel_id>", "only events of this channel")
    .option("--after <cursor>", "events after this cursor; by default those from now on");
}

/** An event, if there is one, and the cursor that continues after it. */
export interface Followed {
  readonly event?: ChatEvent;
  readonly cursor: string;
}

/** The server accepts it as a cursor for the current end of the feed. */
const latest = "latest";

/** The cursor of the beginning, then events as they happen, from now on or after a cursor, until Ctrl-C. */
export async function* followEvents(
  { io: { signal }, connectPatiently }: Session,
  { after = latest, types, channel }: FollowOptions,
): AsyncGenerator<Followed> {
  const chat = await connectPatiently();
  // A channel that was deleted still has events after an earlier cursor.
  if (channel !== undefined && after === latest) await chat.channels.get(channel, { signal });
  // The cursor of now, so that no event is missed when the connection breaks before the first one.
  const begin = after === latest ? (await chat.events.list({ after }, { signal })).next : after;
  yield { cursor: begin };
  // The server checks the names.
  const names = types?.split(",") as EventType[] | undefined;
  const events = chat.events.listen({ after: begin, types: names, channel_id: channel, signal });
  try {
    for await (const { cursor, ...event } of events) yield { event, cursor };
  } catch (error) {
    throw explainCursor(error);
  }
  signal.throwIfAborted();
}

function explainCursor(error: unknown): unknown {
  if (!isChatError(error) || error.code !== "invalid_cursor") return error;
  return new UsageError(
    "The server does not know the cursor of --after. Copy it whole from the end of an earlier madang tail of this server, or leave --after out to follow events from now on.",
  );
}
