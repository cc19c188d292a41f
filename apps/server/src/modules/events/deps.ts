import type { ChatDeps } from "../../chat/deps";
import type { ListenerLimit } from "./listener-limit";
import type { LiveFeed } from "./live-feed";
import type { Numbering } from "./numbering";

export interface EventDeps extends ChatDeps {
  readonly numbering: Numbering;
  /** The end of the feed, for streams and lists that wait. */
  readonly liveFeed: LiveFeed;
  readonly listeners: ListenerLimit;
  /** Called when a stream was cut because its client did not read. */
  readonly onStreamDropped: (() => void) | undefined;
}
