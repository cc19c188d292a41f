import type { Logger } from "pino";
import type { Db } from "./db/db";
import type { WrongAnswer } from "./http/check-answers";
import type { KeyRing } from "./keys/key-ring";
import type { KeyMaker } from "./keys/secret";
import type { Metrics } from "./metrics/metrics";
import type { Cursors } from "./paging/cursor";
import type { AuthFailureLimit } from "./rate-limits/auth-failure-limit";
import type { CredentialLimit } from "./rate-limits/credential-limit";
import type { PageSource } from "./replica/page-source";

/** What the rooms need from outside, handed in once: nothing below reads the clock, chance or the environment. */
export interface Deps {
  readonly db: Db;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** A fresh id for a request that brought none. */
  readonly makeId: () => string;
  readonly cursors: Cursors;
  /** Where pages are read: the database, or a replica of it that knows as much as the page must show. */
  readonly pages: PageSource;
  readonly keyMaker: KeyMaker;
  readonly keyRing: KeyRing;
  readonly logger: Logger;
  /** Which variant of the user list answers a request without `base_user_id`. */
  readonly userList: "cursor" | "reference";
  /** Further header names, in lower case, that may carry the API key. */
  readonly keyHeaders: readonly string[];
  /** Told of every answer that the contract does not allow; absent, answers are not looked at. */
  readonly onWrongAnswer?: (wrong: WrongAnswer) => void;
  /** How many requests a credential may make; absent, as many as it likes. */
  readonly rateLimit?: CredentialLimit;
  /** Limits wrong keys per client address. Absent: no limit. */
  readonly authFailureLimit?: AuthFailureLimit;
  /** Counts what happens, where a port to show it is set. */
  readonly metrics?: Metrics;
  /** How many proxies stand before the server and tell the caller's address. */
  readonly trustedProxies: number;
  /** Called after a channel was deleted: what remains of it is removed in the background. */
  readonly onChannelDeleted: () => void;
}
