import type { KeyMaker } from "../../security/secret";
import type { SubKey } from "./store";

export function presentSubKey(
  { key, label, createdAt, expiresAt, lastUsedAt = null }: SubKey,
  { idOf }: Pick<KeyMaker, "idOf">,
) {
  return {
    key,
    key_id: idOf(key),
    ...(label !== null && { label }),
    created_at: createdAt,
    ...(expiresAt !== null && { expires_at: expiresAt }),
    ...(lastUsedAt !== null && { last_used_at: lastUsedAt }),
  };
}
