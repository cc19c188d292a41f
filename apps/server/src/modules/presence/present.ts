import type { PresenceStatus } from "@madang/contract";
import type { StatusRow } from "./status-store";

/** The presence of a user, for a viewer who may see it. */
export const presentPresence = (
  { userId, isOnline, lastSeenAt }: Pick<StatusRow, "userId" | "isOnline" | "lastSeenAt">,
  showsLastSeen: boolean,
) => ({
  user_id: userId,
  status: (isOnline ? "online" : "offline") satisfies PresenceStatus as PresenceStatus,
  ...(showsLastSeen && !isOnline && lastSeenAt !== null && { last_seen_at: lastSeenAt }),
});
