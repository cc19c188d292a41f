import type { UserRow } from "./store";

/** Converts a user to the wire format. `profile_url` is omitted if it is not set. */
export function presentUser(user: UserRow) {
  return {
    user_id: user.userId,
    name: user.name,
    ...(user.profileUrl !== null && { profile_url: user.profileUrl }),
    meta: user.meta,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    // A stored result of an idempotency key may be older than the field.
    ...(typeof user.suspendedUntil === "number" && { suspended_until: user.suspendedUntil }),
  };
}

/** A participant or manager of a channel. */
export function presentMembership(
  membership: UserRow & { readonly joinedAt: number; readonly mutedUntil: number | null },
) {
  return {
    ...presentUser(membership),
    joined_at: membership.joinedAt,
    ...(membership.mutedUntil !== null && { muted_until: membership.mutedUntil }),
  };
}
