import type { Database } from "../db/db";
import type { ConsoleSessions } from "../security/console-sessions";
import type { KeyRing } from "../security/key-ring";
import type { Revocations } from "../security/revocations";
import type { KeyMaker } from "../security/secret";
import type { UserTokens } from "../security/user-tokens";
import type { Resources } from "../turns/resources";
import type { AuthFailureLimit } from "./hardening/auth-failure-limit";
import type { ObserverDeps } from "./observe/observe-requests";
import type { CredentialLimit } from "./rate-limits/credential-limit";

/** What it takes to find the caller of a request. */
export interface AuthDeps {
  /** All of it. A handler gets the one for the channel in its path. */
  readonly db: Database;
  readonly keyMaker: KeyMaker;
  readonly keyRing: KeyRing;
  readonly userTokens: UserTokens;
  readonly revocations: Revocations;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Additional header names, in lower case, that may contain the API key. */
  readonly keyHeaders: readonly string[];
  /** The keys of the metadata of others that users see. */
  readonly publicMeta: ReadonlySet<string>;
  readonly resources: Resources;
  /** Limits wrong keys per client address. */
  readonly authFailureLimit: AuthFailureLimit;
  /** Opens the cookies of the console. Absent: there is no console. */
  readonly consoleSessions: ConsoleSessions | undefined;
}

export interface HttpDeps extends AuthDeps, ObserverDeps {
  /** Creates an id for a request that has none. */
  readonly makeId: () => string;
  /** The origins of pages that may call the service. */
  readonly origins: readonly string[];
  /** Whether every response is validated against the contract. */
  readonly validatesResponses: boolean;
  /** How long a request may wait for its turns, for all of them together. */
  readonly maxWaitMs: number;
  /** The request limit of each key. Absent: no limit. */
  readonly rateLimit: CredentialLimit | undefined;
  /** Whether the process is about to close its port. */
  readonly isStopping: () => boolean;
  /** The path of the public address, such as `/chat`. Empty: the service has a host of its own. */
  readonly basePath: string;
  /** How many proxies in front of the server set `X-Forwarded-For`. */
  readonly trustedProxies: number;
}
