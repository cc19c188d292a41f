import type { Logger } from "pino";
import type { Db } from "../db/db";
import type { ConsoleSessions } from "../security/console-sessions";
import type { KeyRing } from "../security/key-ring";
import type { KeyMaker } from "../security/secret";
import type { RequestObserver } from "./measure-requests";
import type { AuthFailureLimit } from "./rate-limits/auth-failure-limit";
import type { CredentialLimit } from "./rate-limits/credential-limit";
import type { RequestTracer } from "./trace-requests";
import type { InvalidResponse } from "./validate-responses";

/** The dependencies of the middleware. */
export interface HttpDeps {
  readonly db: Db;
  readonly logger: Logger;
  /** Creates an id for a request that has none. */
  readonly makeId: () => string;
  readonly keyMaker: KeyMaker;
  readonly keyRing: KeyRing;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Opens the cookies of the console. Absent: there is no console. */
  readonly consoleSessions?: ConsoleSessions;
  /** Operations whose successful requests are not logged. Absent: every request is logged. */
  readonly unloggedOperations?: ReadonlySet<string>;
  /** Additional header names, in lower case, that may contain the API key. */
  readonly keyHeaders: readonly string[];
  /** Called for every response that the contract does not allow. Absent: responses are not validated. */
  readonly onInvalidResponse?: (invalid: InvalidResponse) => void;
  /** The request limit of each key. Absent: no limit. */
  readonly rateLimit?: CredentialLimit;
  /** Limits wrong keys per client address. Absent: no limit. */
  readonly authFailureLimit?: AuthFailureLimit;
  /** Records every request. Absent: requests are not measured. */
  readonly metrics?: RequestObserver;
  /** Records every request in a trace. Absent: requests are not traced. */
  readonly tracer?: RequestTracer;
  /** Called after every response that reports a change. */
  readonly onChange: () => void;
  /** Whether the process is about to close its port. */
  readonly isStopping: () => boolean;
  /** How many proxies in front of the server set `X-Forwarded-For`. */
  readonly trustedProxies: number;
}
