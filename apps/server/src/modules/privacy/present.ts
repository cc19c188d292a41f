import { presentUser } from "../../chat/users/present";
import type { PersonRow } from "./export-store";
import type { ErasureRow } from "./store";

export function presentErasure(erasure: ErasureRow) {
  return {
    erasure_id: erasure.erasureId,
    user_id: erasure.userId,
    // Check constraints allow nothing else.
    messages: erasure.messages as "erase" | "keep",
    status: erasure.status as "running" | "done",
    erased: {
      messages: erasure.erasedMessages,
      memberships: erasure.erasedMemberships,
      channels: erasure.erasedChannels,
      ...(erasure.status === "running" && erasure.heldMessages !== null && { held: erasure.heldMessages }),
    },
    created_at: erasure.createdAt,
    ...(erasure.completedAt !== null && { completed_at: erasure.completedAt }),
  };
}

export const presentPerson = (person: PersonRow) => ({
  ...presentUser(person),
  ...(person.deletedAt !== null && { deleted_at: person.deletedAt }),
  ...(person.suspensionReason !== null && { suspension_reason: person.suspensionReason }),
  ...(person.lastSeenAt !== null && { last_seen_at: person.lastSeenAt }),
});
