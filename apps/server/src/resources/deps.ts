import type { AuditSetting } from "@madang/contract";
import type { AuthDeps } from "../http/deps";
import type { Cursors } from "../paging/cursor";
import type { ListenerLimit } from "./events/listener-limit";
import type { LiveFeed } from "./events/live-feed";
import type { Numbering } from "./events/numbering";
import type { Turns } from "./turns";
import type { Receivers } from "./webhooks/receivers";

/** The dependencies of the handlers, which do not read the clock, randomness or the environment themselves. */
export interface Deps extends AuthDeps {
  readonly cursors: Cursors;
  /** For what reads large pages. */
  readonly pageTurns: Turns;
  /** What the audit log records. */
  readonly audit: AuditSetting;
  readonly numbering: Numbering;
  /** The end of the feed, for streams and lists that wait. */
  readonly liveFeed: LiveFeed;
  readonly listeners: ListenerLimit;
  /** Called when a stream was cut because its client did not read. */
  readonly onStreamDropped: (() => void) | undefined;
  /** The variant of the user list for requests without `base_user_id`. */
  readonly userList: "cursor" | "reference";
  /** Sends webhooks to receivers outside the server's own network. */
  readonly receivers: Receivers;
  /** Starts a step of a job now, after a change that gave it work. */
  readonly wake: (job: WokenJob) => void;
}

/** The jobs that go on soon after a change. Without `wake`, they start at their next interval. */
export type WokenJob =
  | "removing deleted channels"
  | "ending roles of deleted users"
  | "erasing messages by age"
  | "erasing users"
  | "deliveries";
