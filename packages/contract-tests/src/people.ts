import type { NewUser } from "./world";
import { worldTime } from "./world";

export const kim: NewUser = { user_id: "kim_01", name: "Kim" };
export const lee: NewUser = {
  user_id: "lee_02",
  name: "Lee",
  profile_url: "https://example.com/lee.png",
  meta: { team: "blue" },
};
export const park: NewUser = { user_id: "park_03", name: "Park" };

/** `count` users with ids from `user_001`, each a second younger than the one before. */
export function people(count: number): readonly NewUser[] {
  return Array.from({ length: count }, (_, index) => ({
    user_id: userIdOf(index),
    name: `User ${index + 1}`,
    at: worldTime + index * 1_000,
  }));
}

export function userIdOf(index: number): string {
  return `user_${String(index + 1).padStart(3, "0")}`;
}

/** A user of a world, as it is answered. */
export function presentUser({ at = worldTime, ...user }: NewUser, change: object = {}) {
  return { meta: {}, created_at: at, updated_at: at, ...user, ...change };
}
