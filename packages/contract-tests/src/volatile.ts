/**
 * Fields whose value differs between runs, or is prose that may be reworded. For these an interaction fixes only the
 * presence and the type; every other value is compared exactly.
 */
export const volatileFields: ReadonlySet<string> = new Set([
  "message_id",
  "key",
  "next",
  "newer",
  "read_message_id",
  "webhook_id",
  "secret",
  "event_id",
  "duration_ms",
  "error",
  "request_id",
  "detail",
  "message",
]);
