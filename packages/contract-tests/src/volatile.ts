/**
 * The fields whose value differs from run to run, or is prose that may be reworded. Of these a recorded value says only
 * that the field is there, and of which type; every other value is compared exactly.
 */
export const volatileFields: ReadonlySet<string> = new Set([
  "message_id",
  "key",
  "next",
  "request_id",
  "detail",
  "message",
]);
