import type { AuditEntry } from "@madang/client";

const fields = [
  "entry_id",
  "at",
  "operation",
  "method",
  "status",
  "code",
  "kind",
  "key_id",
  "actor",
  "reason",
  "address",
  "user_id",
  "channel_id",
  "message_id",
] as const satisfies readonly (keyof AuditEntry)[];

/** The entries as RFC 4180 has it, with times in ISO 8601. */
export function toCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry) =>
    fields.map((field) => toCell(field === "at" ? new Date(entry.at).toISOString() : entry[field])),
  );
  return [fields, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/**
 * A spreadsheet would run a cell that begins like a formula, and people choose their names and reasons. A text that has
 * apostrophes before a formula gets one more, so that the `madang` command, which removes one, reads it back.
 */
function toCell(value: string | number | undefined): string {
  const text = String(value ?? "");
  const inert = /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
