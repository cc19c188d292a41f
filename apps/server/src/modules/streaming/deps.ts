import type { ChatDeps } from "../../chat/deps";
import type { AppendedFeed } from "./appended-feed";

export interface StreamingDeps extends ChatDeps {
  /** What is appended to messages, for the streams of all processes. */
  readonly appended: Pick<AppendedFeed, "announce">;
}
