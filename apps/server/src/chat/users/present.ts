import type { ActingUser } from "../../security/acting-user";
import type { UserRow } from "./store";

/**
 * A user who sees others: what is only for the application is left out. It is the one as whom a request acts or, where all users get
 * the same, one with an id that nobody has.
 */
export type Viewer = Pick<ActingUser, "userId" | "publicMeta">;

/** Converts a user to the wire format. What is not set is undefined, and so absent in JSON. */
export function presentUser(user: UserRow) {
  return {
    user_id: user.userId,
    name: user.name,
    profile_url: user.profileUrl ?? undefined,
    meta: user.meta,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    suspended_until: user.suspendedUntil ?? undefined,
  };
}

/** The same as a user sees it, who sees everything of itself. Without one, the application sees it. */
export function presentUserTo(
  viewer: Viewer | undefined,
  user: UserRow,
): Omit<PresentedUser, OnlyInFull> & Partial<Pick<PresentedUser, OnlyInFull>> {
  const presented = presentUser(user);
  if (isSeenInFull(viewer, user)) return presented;
  const { user_id, name, profile_url, created_at } = presented;
  const meta = Object.fromEntries(Object.entries(user.meta).filter(([key]) => viewer?.publicMeta.has(key)));
  return { user_id, name, profile_url, meta, created_at };
}

type PresentedUser = ReturnType<typeof presentUser>;
type OnlyInFull = "updated_at" | "suspended_until";

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
