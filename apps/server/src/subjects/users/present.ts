import type { UserRow } from "./store";

/** A user as the wire has it; a picture that is not there is left out. */
export function presentUser(user: UserRow) {
  return {
    user_id: user.userId,
    name: user.name,
    ...(user.profileUrl !== null && { profile_url: user.profileUrl }),
    meta: user.meta,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}
