import type { AppendedEvent, ChatEvent, PresenceEvent, SignalEvent } from "../generated/types";
import type { Signal } from "../platform";

/** The type of an event, e.g. `message.created`. */
export type EventType = ChatEvent["type"];

export const transports = ["auto", "stream", "poll"] as const;

/** How events arrive. */
export type ListenTransport = (typeof transports)[number];

/** Which events to receive. */
export interface ListenOptions {
  /** A cursor: only events after it. `latest`: only events from now on. Default: from the oldest event that is stored. */
  after?: string | undefined;
  /** Only events of these types. */
  types?: readonly EventType[] | undefined;
  /** Only events of this channel. */
  channel_id?: string | undefined;
  /** `invisible`: this loop does not make the user of its token online. */
  presence?: "invisible" | undefined;
  /** Ends the loop, without an error. */
  signal?: Signal | undefined;
  /** Called when the connection is there, when it breaks, and when it is there again. No event is missed meanwhile. */
  onConnection?: ((isConnected: boolean, transport: "stream" | "poll") => void) | undefined;
  /**
   * - `stream`: one response that does not end.
   * - `poll`: one list after another, each of which waits for events. What is not stored does not arrive, and who stops within a list gets
   *   all of its events again.
   * - `auto` (default): a stream, where `fetch` gives a body that can be read as it arrives. That of React Native does not, and some
   *   proxies keep a stream back: then lists.
   */
  transport?: ListenTransport | undefined;
}

/** An event, and the cursor after it: store it to continue there. */
export type ReceivedEvent = ChatEvent & { readonly cursor: string };

/** The type of an event that is not stored. */
export type LiveEventType = ReceivedLiveEvent["type"];

/** Which events to receive, with those that are not stored. */
export interface LiveListenOptions extends Omit<ListenOptions, "types"> {
  /** Also receives signals, and what is appended to messages. */
  live: true;
  /** Only events of these types. */
  types?: readonly (EventType | LiveEventType)[] | undefined;
  /** Also receives the presence of these users, at most 100: first an event for each who is online, then one for each change. */
  presenceOf?: readonly string[] | undefined;
}

/** An event that is not stored: a signal, text that was appended to a message, or who is online. It may be lost. */
export type ReceivedLiveEvent = SignalEvent | PresenceEvent | ReceivedAppend;

/** Text that was appended to a message. `data` is what arrived. */
export interface ReceivedAppend extends AppendedEvent {
  /** All of the text so far. What is new for those who have read the message is `content.slice(message.content.length)`. */
  readonly content: string;
}
