import type { AuditSetting } from "@madang/contract";
import type { Db } from "../db/db";
import type { PageSource } from "../db/replica/page-source";
import type { Cursors } from "../paging/cursor";
import type { KeyRing } from "../security/key-ring";
import type { KeyMaker } from "../security/secret";
import type { ListenerLimit } from "./events/listener-limit";
import type { LiveFeed } from "./events/live-feed";
import type { Numbering } from "./events/numbering";
import type { Receivers } from "./webhooks/receivers";

/** The dependencies of the handlers, which do not read the clock, randomness or the environment themselves. */
export interface Deps {
  readonly db: Db;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly cursors: Cursors;
  /** Reads pages from the primary, or from a replica that has caught up with the first page. */
  readonly pages: PageSource;
  /** What the audit log records. */
  readonly audit: AuditSetting;
  readonly numbering: Numbering;
  /** The end of the feed, for streams and lists that wait. */
  readonly liveFeed: LiveFeed;
  readonly listeners: ListenerLimit;
  /** Called when a stream was cut because its client did not read. */
  readonly onStreamDropped?: (() => void) | undefined;
  readonly keyMaker: KeyMaker;
  readonly keyRing: KeyRing;
  /** The variant of the user list for requests without `base_user_id`. */
  readonly userList: "cursor" | "reference";
  /** Sends webhooks to receivers outside the server's own network. */
  readonly receivers: Receivers;
  /** Called after a webhook was created, updated or replayed: its deliveries may go on. */
  readonly onWebhookChanged: () => void;
  /** Called after a channel was deleted: the sweeper removes its rows. */
  readonly onChannelDeleted: () => void;
  /** Called after the retention of a channel was set: the sweeper erases what is due. */
  readonly onRetentionChanged: () => void;
  /** Called after a user was deleted: the sweeper ends its roles in channels. */
  readonly onUserDeleted: () => void;
  /** Called after an erasure was requested: the background job goes on. */
  readonly onErasure: () => void;
}
