import { ServiceError } from "../../../errors/service-error";
import type { ActingUser } from "../../../security/acting-user";

/** A stream that follows the presence of users. */
export interface Watching {
  readonly userIds: readonly string[];
  /** The user as whom the client acts. Undefined: a key, which sees everybody. */
  readonly viewer: ActingUser | undefined;
  /** Receives server-sent events, formatted for the client. */
  readonly receive: (text: string) => void;
}

/** Presence, as the clients that wait for events report and follow it. */
export interface ListenerPresence {
  /** A client of a user waits for events, until the returned function is called. */
  enter(user: Pick<ActingUser, "userId" | "userPk">): () => void;
  /** Sends who of these users is online, and then each change, until the returned function is called. */
  watch(watching: Watching): () => void;
}

/** Rejects a request where presence is turned off. */
export function requirePresence<Presence>(presence: Presence | undefined): Presence {
  if (presence !== undefined) return presence;
  throw new ServiceError(
    "presence_disabled",
    "This service does not record who is online. Set MADANG_PRESENCE to status or last_seen.",
  );
}
