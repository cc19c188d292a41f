import type { ChatEvent } from "../generated/types";
import type { Signal } from "../platform";

/** The type of an event, e.g. `message.created`. */
export type EventType = ChatEvent["type"];

/** Which events to receive. */
export interface ListenOptions {
  /** A cursor: only events after it. `latest`: only events from now on. Default: from the oldest event that is stored. */
  after?: string | undefined;
  /** Only events of these types. */
  types?: readonly EventType[] | undefined;
  /** Only events of this channel. */
  channel_id?: string | undefined;
  /** Ends the loop, without an error. */
  signal?: Signal | undefined;
}

/** An event, and the cursor after it: store it to continue there. */
export type ReceivedEvent = ChatEvent & { readonly cursor: string };
