import type { Caller } from "../../http/auth/caller";
import type { KeyMaker } from "../../security/secret";
import type { SubKey } from "./store";

export function presentSubKey(
  { key, userId, label, scopes, createdAt, expiresAt, lastUsedAt = null }: SubKey,
  { idOf }: Pick<KeyMaker, "idOf">,
) {
  return {
    key,
    key_id: idOf(key),
    ...(userId !== null && { user_id: userId }),
    ...(label !== null && { label }),
    ...(scopes.length > 0 && { scopes }),
    created_at: createdAt,
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(lastUsedAt !== null && { last_used_at: lastUsedAt }),
  };
}

/** The key or token of a request. */
export function presentCaller(caller: Caller) {
  if (caller.kind === "master") return { kind: caller.kind };
  const { label, scopes, expiresAt } = caller;
  return {
    ...(caller.kind === "user"
      ? { kind: caller.kind, user_id: caller.userId }
      : { kind: caller.kind, key_id: caller.id }),
    ...(label !== undefined && { label }),
    ...(scopes !== undefined && { scopes: [...scopes] }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}
