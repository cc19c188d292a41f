/**
 * Fields whose value differs between runs, or is prose that may be reworded. For these an interaction fixes only the
 * presence and the type; every other value is compared exactly.
 */
const volatileFields: ReadonlySet<string> = new Set([
  "message_id",
  "event_id",
  "key",
  "key_id",
  "next",
  "newer",
  "read_message_id",
  "reply_to",
  "webhook_id",
  "report_id",
  "filter_id",
  "hook_id",
  "entry_id",
  "erasure_id",
  "file_id",
  "secret",
  "public_key",
  "token",
  "duration_ms",
  "error",
  "request_id",
  "detail",
  "message",
]);

/** Whether an interaction fixes only the presence and the type of a field. The database dates events and audit entries. */
export const isVolatile = (name: string, object: object): boolean =>
  volatileFields.has(name) ||
  (name === "created_at" && "event_id" in object) ||
  // The address of a file is signed.
  (name === "url" && ("file_id" in object || "expires_at" in object)) ||
  (name === "at" && "entry_id" in object);
