import type { ActingUser } from "../../security/acting-user";
import type { UserRow } from "./store";

/**
 * A user who sees others: what is only for the application is left out. It is the one as whom a request acts or, where all users get
 * the same, one with an id that nobody has.
 */
export type Viewer = Pick<ActingUser, "userId" | "publicMeta">;

/** Converts a user to the wire format. `profile_url` is omitted if it is not set. */
export function presentUser(user: UserRow) {
  return {
    user_id: user.userId,
    name: user.name,
    ...(user.profileUrl !== null && { profile_url: user.profileUrl }),
    meta: user.meta,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    ...(user.suspendedUntil !== null && { suspended_until: user.suspendedUntil }),
  };
}

/** The same as a user sees it, who sees everything of itself. Without one, the application sees it. */
export function presentUserTo(
  viewer: Viewer | undefined,
  user: UserRow,
): Omit<ReturnType<typeof presentUser>, "updated_at"> & { updated_at?: number } {
  if (isSeenInFull(viewer, user)) return presentUser(user);
  const meta = Object.entries(user.meta).filter(([key]) => viewer?.publicMeta.has(key));
  const { updated_at: _, suspended_until: __, ...shown } = presentUser(user);
  return { ...shown, meta: Object.fromEntries(meta) };
}

/** A participant or manager of a channel. */
export function presentMembership(
  viewer: Viewer | undefined,
  membership: UserRow & { readonly joinedAt: number; readonly mutedUntil: number | null },
) {
  const { joinedAt, mutedUntil } = membership;
  return {
    ...presentUserTo(viewer, membership),
    joined_at: joinedAt,
    ...(mutedUntil !== null && isSeenInFull(viewer, membership) && { muted_until: mutedUntil }),
  };
}

export const isSeenInFull = (viewer: Viewer | undefined, { userId }: Pick<UserRow, "userId">): boolean =>
  viewer === undefined || viewer.userId === userId;
