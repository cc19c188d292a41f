import { basePath } from "../api/base-path";
import { sessionFetch } from "../api/session-fetch";

export interface Session {
  readonly actor: string;
  /** Of the server. */
  readonly version?: string;
  readonly kind: "master" | "sub";
  readonly key_id?: string;
  readonly label?: string;
  /** What its key may do, by the names of the operations in the SDK, and what it lacks for the others. */
  readonly operations: Readonly<Record<string, "permitted" | "master_key_required" | "scope_missing">>;
  /** The operations that an entry of the audit log can have. */
  readonly audited_operations: readonly string[];
  /** Whether messages in the name of users may be sent. */
  readonly can_send_as_users: boolean;
}

/** The query that holds the session: `null` when nobody is signed in. */
export const sessionKey = ["session"];

/** The header tells the service that a page of its own sent the request: other origins cannot set it. */
const send = (init: RequestInit = {}) =>
  sessionFetch(`${basePath}/console/session`, {
    ...init,
    headers: { ...init.headers, "X-Madang-Console": "1" },
  });

export async function fetchSession(): Promise<Session | null> {
  const response = await send();
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
  return response.json();
}

/** The key is in the body, never in an address. Returns why it was rejected. */
export async function signIn(key: string, actor: string): Promise<"rejected" | "limited" | undefined> {
  const response = await send({
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ key, actor }),
  });
  if (response.ok) return undefined;
  if (response.status === 429) return "limited";
  if (response.status === 401 || response.status === 400) return "rejected";
  throw new Error(`The service responded with ${response.status}.`);
}

/** Fails unless the service has ended the session. */
export async function signOut(): Promise<void> {
  const response = await send({ method: "DELETE" });
  if (!response.ok) throw new Error(`The service responded with ${response.status}.`);
}
