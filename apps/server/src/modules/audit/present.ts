import type { EntryRow } from "./store";

export function presentEntry(entry: EntryRow) {
  const { number, at, operation, method, status, code, kind, keyId, actor, reason, address } = entry;
  const { actingUserId, userId, channelId, messageId, subject } = entry;
  return {
    entry_id: String(number),
    at,
    operation,
    method,
    status,
    ...(code !== null && { code }),
    // The server writes no other.
    kind: kind as "master" | "sub" | "console" | "user",
    ...(actingUserId !== null && { acting_user_id: actingUserId }),
    ...(keyId !== null && { key_id: keyId }),
    ...(actor !== null && { actor }),
    ...(reason !== null && { reason }),
    address,
    ...(userId !== null && { user_id: userId }),
    ...(channelId !== null && { channel_id: channelId }),
    ...(messageId !== null && { message_id: messageId }),
    ...(subject !== null && { subject }),
  };
}
